// Small helpers to build and to patch the document. Nothing here ever parses HTML: text goes in as text.

/**
 * Builds an element. Attributes that are null, undefined or false are left out, true means an empty value, functions
 * become listeners ("onclick"); children are nodes or texts, null is skipped.
 */
export function el(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

const svg = "http://www.w3.org/2000/svg";

/** A picture of icons.svg, in the colour of the text around it; it says nothing to those who listen. */
export function icon(name) {
  const node = document.createElementNS(svg, "svg");
  node.setAttribute("class", "icon");
  node.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(svg, "use");
  use.setAttribute("href", `/static/icons.svg#${name}`);
  node.append(use);
  return node;
}

/** The round picture of an account: the bot has one, people have the first letter of their name. */
export function avatar(person, bot) {
  const name = person?.name ?? "?";
  if (person?.id === bot) return el("img", { class: "avatar", src: "/static/icon.svg", alt: "" });
  return el("span", { class: `avatar tint-${person ? Number(BigInt(person.id) % 6n) : 0}`, "aria-hidden": "true" }, [...name][0]);
}

// What the page itself notes on nodes, which a new rendering must not wipe out.
const kept = new Set(["aria-busy", "aria-expanded", "data-revealed"]);

/**
 * Makes node look like next and keeps what is the same: nodes that stay keep focus, selection and scrolling, and so do
 * children with data-kept, which are none of the rendering. Returns the node that is in the document afterwards.
 */
export function patch(node, next) {
  if (node.nodeType !== next.nodeType || node.nodeName !== next.nodeName) {
    node.replaceWith(next);
    return next;
  }
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.data !== next.data) node.data = next.data;
    return node;
  }
  patchAttributes(node, next);
  const olds = [...node.childNodes].filter((child) => child.dataset?.kept === undefined);
  const news = [...next.childNodes];
  news.forEach((child, i) => (olds[i] ? patch(olds[i], child) : node.append(child)));
  olds.slice(news.length).forEach((child) => child.remove());
  return node;
}

function patchAttributes(node, next) {
  hold(node, next);
  for (const { name } of [...node.attributes]) {
    if (!next.hasAttribute(name) && !kept.has(name)) node.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    // The page's policy forbids style attributes, but not styles that are set one by one.
    if (name === "style") node.style.cssText = next.style.cssText;
    else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
}

/**
 * A disabled button cannot have the focus: somebody who plays by keyboard would be thrown out of the board by their own
 * move. So the focused one is only called disabled, until the focus moves on.
 */
function hold(node, next) {
  if (node !== document.activeElement || node.nodeName !== "BUTTON" || !next.hasAttribute("disabled")) return;
  next.removeAttribute("disabled");
  next.setAttribute("aria-disabled", "true");
  node.addEventListener("blur", () => {
    if (node.getAttribute("aria-disabled") !== "true") return;
    node.removeAttribute("aria-disabled");
    node.disabled = true;
  }, { once: true });
}

export function isOff(button) {
  return button.disabled || button.getAttribute("aria-disabled") === "true";
}
