// What a message is made of: texts, embeds, files, containers, buttons, menus.

import { el, icon } from "./dom.js";
import { emoji, emojis } from "./emoji.js";
import { markdown } from "./markdown.js";
import { covered, embed, file, gallery, hex, media } from "./media.js";
import { picker } from "./picker.js";
import { word } from "./text.js";

const loading = 1 << 7;

/** The body of a message (an API object) as an element. */
export function body(message, world) {
  const parts = [];
  if (message.flags & loading) {
    const name = world.person(message.author.id)?.name ?? message.author.username;
    parts.push(el("p", { class: "thinking" }, el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i")), word("thinking", name)));
  }
  if (message.content) parts.push(el("div", { class: "text" }, markdown(message.content, world)));
  const shown = new Set();
  const components = (message.components ?? []).map((c) => component(c, world, shown));
  const files = (message.attachments ?? []).filter((a) => !shown.has(a.id)).map((a) => file(a, a.description));
  const embeds = (message.embeds ?? []).map((e) => embed(e, world));
  return el("div", { class: "body" }, ...parts, ...files, ...embeds, ...components);
}

function component(c, world, shown) {
  const kids = () => (c.components ?? []).map((k) => component(k, world, shown));
  switch (c.type) {
    case 1: return el("div", { class: "row", role: "group", "aria-label": rowName(c) }, ...kids());
    case 2: return button(c);
    case 3: case 5: case 6: case 7: case 8: return picker(c, world, { "data-select": c.custom_id, "data-custom-id": c.custom_id });
    case 9: return el("div", { class: "section" }, el("div", { class: "grow" }, ...kids()), c.accessory && component(c.accessory, world, shown));
    case 10: return el("div", { class: "text" }, markdown(c.content, world));
    case 11: return media(c.media, c.description, shown, "thumbnail", c.spoiler);
    case 12: return gallery(c.items ?? [], shown);
    case 13: return media({ name: c.name, size: c.size, ...c.file }, c.description, shown, "file", c.spoiler);
    case 14: return el("hr", { class: `space-${c.spacing ?? 1}${c.divider === false ? " blank" : ""}` });
    case 17: return container(c, kids());
  }
  return el("p", { class: "small" }, `(a component of type ${c.type}, which this page cannot show)`);
}

// What a row is called for those who hear it: its first and last button.
function rowName(c) {
  const labels = (c.components ?? []).map((k) => k.label || k.placeholder || k.emoji?.name).filter(Boolean);
  return labels.length > 1 ? `${labels[0]} – ${labels.at(-1)}` : null;
}

function container(c, kids) {
  const node = el("div", { class: c.accent_color == null ? "container" : "container accented" }, ...kids);
  if (c.accent_color != null) node.style.setProperty("--accent", hex(c.accent_color));
  return c.spoiler ? covered(node) : node;
}

function face(c) {
  const out = [];
  if (c.emoji) out.push(c.emoji.id ? `:${c.emoji.name}:` : emoji(c.emoji.name));
  if (c.label) out.push(el("span", { class: "label" }, ...emojis(c.label)));
  return out.length ? out : [el("span", { class: "label" }, "\u00a0")];
}

const styles = ["", "primary", "secondary", "success", "danger", "link", "premium"];

function button(c) {
  if (c.style === 5) {
    if (c.disabled) return el("span", { class: "button link", "aria-disabled": "true" }, ...face(c), icon("window"));
    return el("a", { class: "button link", href: /^https?:/.test(c.url) ? c.url : "#", target: "_blank", rel: "noopener noreferrer" }, ...face(c), icon("window"));
  }
  if (c.style === 6) return el("button", { type: "button", class: "button premium", "data-premium": true, disabled: c.disabled }, icon("gem"), el("span", { class: "label" }, "Premium"));
  return el("button", {
    type: "button", class: `button ${styles[c.style] ?? "secondary"}`, "data-button": c.custom_id, "data-custom-id": c.custom_id,
    "data-label": c.label || c.emoji?.name, disabled: c.disabled, "aria-label": c.label ? null : c.emoji?.name,
  }, ...face(c));
}

/** Finds the component of a custom id in a message's components; undefined for none. */
export function findComponent(list, customID) {
  for (const c of list ?? []) {
    if (!c) continue;
    const found = c.custom_id === customID ? c : findComponent([...(c.components ?? []), c.accessory], customID);
    if (found) return found;
  }
  return undefined;
}
