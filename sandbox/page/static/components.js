// What a message is made of: texts, embeds, files, containers, buttons, menus.

import { el } from "./dom.js";
import { emoji, emojis } from "./emoji.js";
import { markdown } from "./markdown.js";

const loading = 1 << 7;

/** The body of a message (an API object) as an element. */
export function body(message, world) {
  const parts = [];
  if (message.flags & loading) {
    parts.push(el("p", { class: "thinking" }, el("span", { class: "dots", "aria-hidden": "true" }), `${message.author.username} is thinking…`));
  }
  if (message.content) parts.push(el("div", { class: "text" }, markdown(message.content, world)));
  for (const e of message.embeds ?? []) parts.push(embed(e, world));
  const shown = new Set();
  const components = (message.components ?? []).map((c) => component(c, world, shown));
  for (const a of message.attachments ?? []) if (!shown.has(a.id)) parts.push(file(a, a.filename, a.description));
  return el("div", { class: "body" }, ...parts, ...components);
}

function component(c, world, shown) {
  const kids = () => (c.components ?? []).map((k) => component(k, world, shown));
  switch (c.type) {
    case 1: return el("div", { class: "row", role: "group" }, ...kids());
    case 2: return button(c);
    case 3: case 5: case 6: case 7: case 8: return menu(c, world);
    case 9: return el("div", { class: "section" }, el("div", { class: "grow" }, ...kids()), c.accessory && component(c.accessory, world, shown));
    case 10: return el("div", { class: "text" }, markdown(c.content, world));
    case 11: return media(c.media, c.description, shown, "thumbnail");
    case 12: return el("div", { class: "gallery" }, ...(c.items ?? []).map((i) => media(i.media, i.description, shown, "picture")));
    case 13: return media(c.file, c.name, shown, "picture");
    case 14: return el("hr", { class: `space-${c.spacing ?? 1}${c.divider === false ? " blank" : ""}` });
    case 17: return container(c, kids());
  }
  return el("p", { class: "small" }, `(a component of type ${c.type}, which this page cannot show)`);
}

function container(c, kids) {
  const node = el("div", { class: c.accent_color == null ? "container" : "container accented" }, ...kids);
  if (c.accent_color != null) node.style.setProperty("--accent", hex(c.accent_color));
  return node;
}

const hex = (n) => `#${n.toString(16).padStart(6, "0")}`;

function face(c) {
  const out = [];
  if (c.emoji) out.push(c.emoji.id ? `:${c.emoji.name}:` : emoji(c.emoji.name));
  if (c.label) out.push(el("span", { class: "label" }, ...emojis(c.label)));
  return out.length ? out : [el("span", { class: "label" }, "\u00a0")];
}

function button(c) {
  if (c.style === 5) {
    return el("a", { class: "button link", href: /^https?:/.test(c.url) ? c.url : "#", target: "_blank", rel: "noopener noreferrer" }, ...face(c));
  }
  const style = ["", "primary", "secondary", "success", "danger", "", "premium"][c.style] ?? "secondary";
  return el("button", {
    type: "button", class: `button ${style}`, "data-custom-id": c.custom_id, "data-label": c.label || c.emoji?.name,
    disabled: c.disabled || c.style === 6,
  }, ...face(c));
}

function menu(c, world) {
  const several = c.max_values > 1;
  const options = c.type === 3 ? c.options : choicesOf(c, world);
  const chosen = new Set((c.default_values ?? []).map((d) => d.id));
  const label = c.placeholder || "Make a selection";
  const select = el("select", {
    "data-custom-id": c.custom_id, "aria-label": label, disabled: c.disabled, multiple: several, size: several ? Math.min(6, options.length) : null,
  }, several ? null : el("option", { value: "", disabled: true, selected: true, hidden: true }, label),
  ...options.map((o) => el("option", { value: o.value, selected: o.default || chosen.has(o.value) }, optionText(o))));
  if (!several) return el("div", { class: "menu" }, select);
  return el("div", { class: "menu" }, select, el("button", { type: "button", class: "button secondary", "data-choose": c.custom_id, disabled: c.disabled }, "Choose"));
}

const optionText = (o) => [o.emoji && !o.emoji.id ? o.emoji.name : "", o.label, o.description ? `– ${o.description}` : ""].filter(Boolean).join(" ");

function choicesOf(c, world) {
  if (c.type === 8) return world.channels().map((ch) => ({ value: ch.id, label: ch.label }));
  if (c.type === 6) return [];
  return world.members().map((p) => ({ value: p.id, label: p.name }));
}

// Files of the stand-in are on the page's own address, whatever name it was reached by; others stay links.
function local(url) {
  try {
    const u = new URL(url, location.href);
    return u.pathname.startsWith("/attachments/") ? u.pathname : null;
  } catch {
    return null;
  }
}

function media(m, description, shown, kind) {
  if (m?.attachment_id) shown.add(m.attachment_id);
  return file({ url: m?.url ?? "", content_type: m?.content_type, filename: m?.name }, m?.name ?? "file", description, kind);
}

function file(a, name, description, kind = "picture") {
  const own = local(a.url);
  const picture = /^image\//.test(a.content_type ?? "") || /\.(png|jpe?g|gif|webp)$/i.test(a.filename ?? "");
  if (own && picture) return el("img", { class: kind, src: own, alt: description || name || "picture", loading: "lazy" });
  const text = description ? `${name}: ${description}` : name || a.url;
  if (own) return el("p", { class: "file" }, el("a", { href: own, download: name }, text));
  return el("p", { class: "file" }, el("a", { href: /^https?:/.test(a.url) ? a.url : "#", target: "_blank", rel: "noopener noreferrer" }, a.filename ? text : a.url));
}

function embed(e, world) {
  const title = e.title && el("p", { class: "h3" }, e.url && /^https?:/.test(e.url)
    ? el("a", { href: e.url, target: "_blank", rel: "noopener noreferrer" }, markdown(e.title, world)) : markdown(e.title, world));
  const fields = (e.fields ?? []).map((f) => el("div", { class: f.inline ? "field inline" : "field" },
    el("div", { class: "name" }, markdown(f.name, world)), markdown(f.value, world)));
  const node = el("div", { class: "container accented embed" },
    e.author && el("p", { class: "small" }, e.author.name), title, e.description && markdown(e.description, world),
    fields.length > 0 && el("div", { class: "fields" }, ...fields),
    e.image && file({ url: e.image.url, filename: "image.png" }, "image"), e.footer && el("p", { class: "small" }, e.footer.text));
  node.style.setProperty("--accent", hex(e.color ?? 0x4e5058));
  return node;
}
