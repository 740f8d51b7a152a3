// Pictures, files and embeds.

import { el, icon } from "./dom.js";
import { markdown } from "./markdown.js";
import { word } from "./text.js";

// Files of the stand-in are on the page's own address, whatever name it was reached by; others stay links.
function local(url) {
  try {
    const u = new URL(url, location.href);
    return u.pathname.startsWith("/attachments/") ? u.pathname : null;
  } catch {
    return null;
  }
}

const web = (url) => (/^https?:/.test(url ?? "") ? url : "#");

/** A colour of the API as one of the page. */
export const hex = (n) => `#${n.toString(16).padStart(6, "0")}`;

/** What a component shows; shown gets the ids of the attachments that need not be shown again. */
export function media(m, description, shown, kind, spoiler) {
  if (m?.attachment_id) shown.add(m.attachment_id);
  const node = file({ url: m?.url ?? "", content_type: m?.content_type, filename: m?.name, size: m?.size }, description, kind);
  return spoiler ? covered(node) : node;
}

/** Something that is only seen after a click. */
export function covered(node) {
  return el("div", { class: "covered" }, node, el("button", { type: "button", "data-uncover": true }, "Spoiler"));
}

/** A file of a message. */
export function file(a, description, kind = "picture") {
  const own = local(a.url);
  const picture = kind !== "file" && (/^image\//.test(a.content_type ?? "") || /\.(png|jpe?g|gif|webp)$/i.test(a.filename ?? ""));
  if (own && picture) {
    const alt = description || a.filename || "picture";
    return el("button", { type: "button", class: `picture ${kind}`, "data-enlarge": own, "aria-label": alt }, el("img", { src: own, alt, loading: "lazy" }));
  }
  const name = a.filename || a.url || "file";
  const link = own ? { href: own, download: a.filename || true } : { href: web(a.url), target: "_blank", rel: "noopener noreferrer" };
  return el("div", { class: "file" }, icon("file"), el("div", { class: "grow" }, el("a", link, name),
    el("p", { class: "small" }, [a.size ? bytes(a.size) : "", description ?? ""].filter(Boolean).join(" · "))));
}

function bytes(n) {
  if (n < 1024) return `${n} bytes`;
  return n < 1 << 20 ? `${(n / 1024).toFixed(1)} KB` : `${(n / (1 << 20)).toFixed(1)} MB`;
}

/** Several pictures beside each other. */
export function gallery(items, shown) {
  return el("div", { class: `gallery of-${Math.min(items.length, 5)}` }, ...items.map((i) => media(i.media, i.description, shown, "picture", i.spoiler)));
}

/** Shows a picture large. */
export function enlarge(url, alt) {
  const dialog = el("dialog", { class: "large", "aria-label": alt }, el("img", { src: url, alt }),
    el("p", null, el("a", { href: url, download: true }, alt), el("button", { type: "button", class: "tool", "aria-label": word("close"), onclick: () => dialog.close() }, icon("close"))));
  dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** An embed. */
export function embed(e, world) {
  const link = (url, ...kids) => el("a", { href: web(url), target: "_blank", rel: "noopener noreferrer" }, ...kids);
  const title = e.title && el("p", { class: "title" }, e.url ? link(e.url, markdown(e.title, world)) : markdown(e.title, world));
  const fields = (e.fields ?? []).map((f) => el("div", { class: f.inline ? "field inline" : "field" },
    el("div", { class: "name" }, markdown(f.name, world)), markdown(f.value, world)));
  const author = e.author && el("p", { class: "title small" }, e.author.url ? link(e.author.url, e.author.name) : e.author.name);
  const words = el("div", { class: "grow" }, author, title, e.description && el("div", { class: "text" }, markdown(e.description, world)),
    fields.length > 0 && el("div", { class: "fields" }, ...fields));
  const node = el("div", { class: "container accented embed" },
    el("div", { class: "section" }, words, e.thumbnail && file({ url: e.thumbnail.url, filename: "thumbnail.png" }, "", "thumbnail")),
    e.image && file({ url: e.image.url, filename: "image.png" }, ""), e.footer && el("p", { class: "small" }, e.footer.text));
  node.style.setProperty("--accent", hex(e.color ?? 0x4e5058));
  return node;
}
