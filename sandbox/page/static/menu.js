// The menu that opens on a right click, a long press, or the menu key.

import { el, icon } from "./dom.js";

const longPress = 500; // ms
const slack = 10; // pixels that a finger may move meanwhile

let open = null; // {box, opener}

/** Closes the menu; the focus goes back to where it was, unless something else has taken it. */
export function closeMenu() {
  if (!open) return;
  const { box, opener } = open;
  open = null;
  const held = box.contains(document.activeElement);
  box.remove();
  if (held) opener?.focus?.({ preventScroll: true });
}

/**
 * Opens a menu at a point. items: {key, label, icon, danger, run()} or with items of their own instead of run; app is
 * the name of a command. label says what it is a menu of.
 */
export function openMenu(items, { x, y, label, opener }) {
  closeMenu();
  const box = el("div", { class: "menu-box" }, list(items, label));
  box.addEventListener("keydown", key);
  box.addEventListener("contextmenu", (e) => e.preventDefault());
  document.body.append(box);
  const { width, height } = box.getBoundingClientRect();
  box.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  box.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
  box.classList.toggle("leftward", x + 2 * width > innerWidth);
  open = { box, opener };
  box.querySelector("[role=menuitem]")?.focus({ preventScroll: true });
}

function list(items, label) {
  return el("div", { role: "menu", "aria-label": label }, ...items.map(item));
}

function item(it) {
  const sub = it.items && list(it.items, it.label);
  const button = el("button", {
    type: "button", role: "menuitem", tabindex: "-1", class: it.danger ? "danger" : null, "data-item": it.key, "data-app": it.app,
    "aria-haspopup": sub ? "menu" : null, "aria-expanded": sub ? "false" : null, "aria-disabled": it.off ? "true" : null,
    onclick: () => (sub ? unfold(button, true) : it.off || choose(it)),
  }, el("span", null, it.label), icon(sub ? "right" : it.icon ?? "right"));
  if (!sub) return button;
  const group = el("div", { class: "sub" }, button, sub);
  group.addEventListener("pointerenter", (e) => { if (e.pointerType === "mouse") unfold(button, false); });
  return group;
}

function choose(it) {
  closeMenu();
  it.run();
}

// Shows what is below an entry; what is below others closes.
function unfold(button, enter) {
  const own = button.parentElement;
  for (const other of own.parentElement.querySelectorAll(".sub.unfolded")) {
    if (other !== own) fold(other);
  }
  own.classList.add("unfolded");
  button.setAttribute("aria-expanded", "true");
  const sub = own.querySelector("[role=menu]");
  sub.style.removeProperty("margin-top");
  const over = sub.getBoundingClientRect().bottom - innerHeight + 8;
  if (over > 0 && getComputedStyle(sub).position === "absolute") sub.style.marginTop = `${-over}px`;
  if (enter) sub.querySelector("[role=menuitem]")?.focus({ preventScroll: true });
}

function fold(group) {
  group.classList.remove("unfolded");
  group.querySelector("button").setAttribute("aria-expanded", "false");
}

function key(e) {
  const at = e.target.closest("[role=menuitem]");
  const menu = e.target.closest("[role=menu]");
  const all = [...menu.querySelectorAll(":scope > [role=menuitem], :scope > .sub > [role=menuitem]")];
  const group = menu.closest(".sub");
  const i = all.indexOf(at);
  if (e.key === "ArrowDown" || e.key === "ArrowUp") all.at((i + (e.key === "ArrowDown" ? 1 : -1)) % all.length)?.focus();
  else if (e.key === "Home" || e.key === "End") all.at(e.key === "Home" ? 0 : -1)?.focus();
  else if (e.key === "ArrowRight" && at?.getAttribute("aria-haspopup")) unfold(at, true);
  else if (group && (e.key === "ArrowLeft" || e.key === "Escape")) {
    fold(group);
    group.querySelector("button").focus();
  } else if (e.key === "Escape" || e.key === "Tab") closeMenu();
  else if (e.key.length === 1 && /\S/.test(e.key)) {
    const fits = (b) => b.textContent.toLowerCase().startsWith(e.key.toLowerCase());
    (all.slice(i + 1).find(fits) ?? all.find(fits))?.focus();
    return;
  } else return;
  e.preventDefault();
  e.stopPropagation();
}

document.addEventListener("pointerdown", (e) => { if (open && !open.box.contains(e.target)) closeMenu(); }, true);
addEventListener("blur", closeMenu);
addEventListener("resize", closeMenu);

/** Calls ask(target, point) when the menu of something is wanted; ask tells whether there is one. */
export function onMenu(ask) {
  document.addEventListener("contextmenu", (e) => {
    const byKey = e.button < 0 || (e.clientX === 0 && e.clientY === 0);
    const r = e.target.getBoundingClientRect();
    const point = byKey ? { x: r.left + Math.min(40, r.width / 2), y: Math.min(r.top + Math.min(40, r.height), innerHeight - 40) } : { x: e.clientX, y: e.clientY };
    if (ask(e.target, point)) e.preventDefault();
  });
  let timer = 0;
  let start = null;
  let held = false; // the menu came by a long press: letting go is no click
  const stop = () => clearTimeout(timer);
  // Some phones send no contextmenu event on a long press.
  document.addEventListener("pointerdown", (e) => {
    stop();
    held = false;
    if (e.pointerType !== "touch") return;
    start = { x: e.clientX, y: e.clientY };
    timer = setTimeout(() => { held = Boolean(open) || ask(e.target, start); }, longPress);
  });
  document.addEventListener("pointermove", (e) => {
    if (start && Math.hypot(e.clientX - start.x, e.clientY - start.y) > slack) stop();
  });
  document.addEventListener("click", (e) => {
    if (!held) return;
    held = false;
    e.preventDefault();
    e.stopPropagation();
  }, true);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, stop);
}
