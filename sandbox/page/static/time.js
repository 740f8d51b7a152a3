// Times in the reader's language and zone.

import { el } from "./dom.js";

const formats = {
  t: { timeStyle: "short" }, T: { timeStyle: "medium" }, d: { dateStyle: "short" }, D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" }, F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" }, S: { dateStyle: "short", timeStyle: "medium" },
};
const units = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

// Making one of these takes long, compared with using it.
const made = new Map();

function formatter(format, locale) {
  const key = `${format} ${locale}`;
  if (!made.has(key)) made.set(key, new Intl.DateTimeFormat(locale, formats[format]));
  return made.get(key);
}

function relative(unix, locale) {
  const left = unix - Date.now() / 1000;
  const [unit, size] = units.find(([, s]) => Math.abs(left) >= s) ?? units.at(-1);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(left / size), unit);
}

const absolute = (unix, format, locale) => formatter(format, locale).format(new Date(unix * 1000));

/** The element for a timestamp in a text: seconds since the epoch, and a format letter. */
export function timeElement(unix, format, locale) {
  const date = new Date(unix * 1000);
  if (Number.isNaN(date.getTime())) return el("span", null, `<t:${unix}:${format}>`);
  const text = format === "R" ? relative(unix, locale) : absolute(unix, format, locale);
  return el("time", {
    datetime: date.toISOString(), title: absolute(unix, "F", locale), "data-unix": format === "R" ? unix : null,
  }, text);
}

/** The short time of a message; the hour only, when asked for. */
export function clock(iso, locale, hourOnly) {
  const unix = new Date(iso).getTime() / 1000;
  return el("time", { datetime: iso, title: absolute(unix, "F", locale) }, hourOnly ? absolute(unix, "t", locale) : shortTime(iso, locale));
}

/** The time of a message as a text: the hour today, with the date before. */
export function shortTime(iso, locale) {
  const today = new Date().toDateString() === new Date(iso).toDateString();
  return absolute(new Date(iso).getTime() / 1000, today ? "t" : "s", locale);
}

/** The day of a message, as a text. */
export function day(iso, locale) {
  return absolute(new Date(iso).getTime() / 1000, "D", locale);
}

/** Brings relative times up to date. */
export function refreshTimes(locale) {
  for (const node of document.querySelectorAll("time[data-unix]")) {
    const text = relative(Number(node.dataset.unix), locale);
    if (node.textContent !== text) node.textContent = text;
  }
}
