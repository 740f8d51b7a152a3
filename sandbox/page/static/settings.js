// Who the reader is, which language they speak, and how the page looks.

import { el, icon } from "./dom.js";
import { languageName } from "./sidebar.js";
import { word } from "./text.js";

// Discord's languages.
const locales = [
  "en-US", "en-GB", "de", "fr", "es-ES", "es-419", "pt-BR", "ru", "zh-CN", "zh-TW", "ja", "ko", "id", "da", "hr", "it", "lt", "hu", "nl", "no", "pl",
  "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "uk", "hi", "th",
];

/** The choices of how the page looks, with what is chosen now. */
const looks = () => ({ theme: document.documentElement.dataset.theme ?? "system", phone: document.documentElement.dataset.view === "phone" });

/** Opens the settings; can: {become(username), speak(locale), window(username)}. */
export function openSettings(world, opener, can) {
  const me = world.person(world.me);
  const dialog = el("dialog", { id: "settings", class: "modal", "aria-labelledby": "settings-title" }, el("form", { method: "dialog" },
    el("header", null, el("h2", { id: "settings-title" }, word("settings")),
      el("button", { type: "submit", class: "tool", "aria-label": word("close") }, icon("close"))),
    language(me, can), themes(), phone(), others(world, can, () => dialog.close())));
  dialog.addEventListener("close", () => {
    dialog.remove();
    opener.setAttribute("aria-expanded", "false");
    opener.focus();
  });
  dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
  document.body.append(dialog);
  opener.setAttribute("aria-expanded", "true");
  dialog.showModal();
}

function language(me, can) {
  const known = locales.includes(me.locale) ? locales : [me.locale, ...locales];
  const select = el("select", { id: "locale", onchange: (e) => can.speak(e.target.value) },
    ...known.map((code) => el("option", { value: code, selected: code === me.locale }, `${languageName(code, code)} (${code})`)));
  return el("div", { class: "entry" }, el("label", { for: "locale" }, `${word("language")}: ${me.name}`), select);
}

function themes() {
  const { theme } = looks();
  const choice = (key) => el("label", { class: "choice" },
    el("input", { type: "radio", name: "theme", value: key, checked: theme === key, onchange: () => window.choose("theme", key === "system" ? null : key) }), word(key));
  return el("fieldset", { class: "entry" }, el("legend", null, word("theme")), ...["system", "dark", "light"].map(choice));
}

function phone() {
  return el("div", { class: "entry" }, el("button", {
    type: "button", class: "switch", role: "switch", "data-toggle": "phone", "aria-checked": String(looks().phone),
  }, el("span", null, "Show messages as a phone does: a narrow column, code without colours"), el("span", { class: "knob" })));
}

function others(world, can, close) {
  const people = world.people.filter((p) => !p.bot && p.id !== world.me);
  return el("fieldset", { class: "entry" }, el("legend", null, "A second window as somebody else, to play each other"),
    el("div", { class: "row" }, ...people.map((p) => el("button", {
      type: "button", class: "button secondary", "data-window": p.username, onclick: () => { close(); can.window(p.username); },
    }, p.name, icon("window")))));
}

/** Brings the buttons that switch between desktop and phone up to date. */
export function showLooks() {
  const { phone: on } = looks();
  for (const b of document.querySelectorAll("[data-toggle=phone]")) b.setAttribute(b.getAttribute("role") === "switch" ? "aria-checked" : "aria-pressed", String(on));
}

/** Switches between desktop and phone. */
export function togglePhone() {
  window.choose("view", looks().phone ? "desktop" : "phone");
}
