// Times in the reader's language and zone.

import { el } from "./dom.js";

const formats = {
  t: { timeStyle: "short" }, T: { timeStyle: "medium" }, d: { dateStyle: "short" }, D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" }, F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" }, S: { dateStyle: "short", timeStyle: "medium" },
};
const units = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

function relative(unix, locale) {
  const left = unix - Date.now() / 1000;
  const [unit, size] = units.find(([, s]) => Math.abs(left) >= s) ?? units.at(-1);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(left / size), unit);
}

function absolute(unix, format, locale) {
  return new Intl.DateTimeFormat(locale, formats[format]).format(new Date(unix * 1000));
}

/** The element for a timestamp in a text: seconds since the epoch, and a format letter. */
export function timeElement(unix, format, locale) {
  const date = new Date(unix * 1000);
  if (Number.isNaN(date.getTime())) return el("span", null, `<t:${unix}:${format}>`);
  const text = format === "R" ? relative(unix, locale) : absolute(unix, format, locale);
  return el("time", {
    datetime: date.toISOString(), title: absolute(unix, "F", locale), "data-unix": format === "R" ? unix : null,
  }, text);
}

/** The short time of a message. */
export function clock(iso, locale) {
  const unix = new Date(iso).getTime() / 1000;
  const today = new Date().toDateString() === new Date(iso).toDateString();
  return el("time", { datetime: iso, title: absolute(unix, "F", locale) }, absolute(unix, today ? "t" : "s", locale));
}

/** Brings relative times up to date. */
export function refreshTimes(locale) {
  for (const node of document.querySelectorAll("time[data-unix]")) {
    const text = relative(Number(node.dataset.unix), locale);
    if (node.textContent !== text) node.textContent = text;
  }
}
