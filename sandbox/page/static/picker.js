// The select menus of bots: a button that shows what is chosen, and the list that it opens.

import { avatar, el, icon } from "./dom.js";
import { emoji } from "./emoji.js";
import { matchItems } from "./commands.js";
import { word } from "./text.js";

const searchFrom = 9; // so many options and more can be searched

/** The choices of a select component: {value, name, detail, sign, chosen}. */
export function choicesOf(c, world) {
  const chosen = new Set((c.default_values ?? []).map((d) => d.id));
  const people = () => world.members().map((p) => ({ value: p.id, name: p.name, detail: p.username, sign: avatar(p, world.bot), chosen: chosen.has(p.id) }));
  switch (c.type) {
    case 3: return (c.options ?? []).map((o) => ({
      value: o.value, name: o.label, detail: o.description, sign: o.emoji && !o.emoji.id ? emoji(o.emoji.name) : null, chosen: Boolean(o.default),
    }));
    case 5: case 7: return people();
    case 6: return roles(world, chosen);
    case 8: return world.channels().filter((ch) => here(ch, world) && (!c.channel_types?.length || c.channel_types.includes(ch.kind)))
      .map((ch) => ({ value: ch.id, name: ch.name, detail: ch.place.name, sign: icon(ch.kind === 0 ? "hash" : "at"), chosen: chosen.has(ch.id) }));
  }
  return [];
}

// A server's channels can be chosen in that server only.
const here = (ch, world) => ch.place.id === world.find(world.channel)?.place.id;

// The one role that every server has; the stand-in knows no others.
function roles(world, chosen) {
  const place = world.find(world.channel)?.place;
  if (!place || place.id === "@me") return [];
  return [{ value: place.id, name: "@everyone", sign: icon("group"), chosen: chosen.has(place.id) }];
}

/** The button of a select; attributes are added to it. */
export function picker(c, world, attributes) {
  const label = c.placeholder || word("choose");
  const chosen = choicesOf(c, world).filter((o) => o.chosen);
  return el("button", {
    type: "button", class: "picker", role: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": "picker",
    "aria-label": chosen.length ? `${label}: ${chosen.map((o) => o.name).join(", ")}` : label, disabled: c.disabled, ...attributes,
  }, face(chosen, label), icon("down"));
}

function face(chosen, label) {
  if (!chosen.length) return el("span", { class: "soft" }, label);
  return el("span", { class: "chosen" }, ...chosen.map((o) => el("span", null, o.sign?.cloneNode(true), o.name)));
}

/** Shows other choices on the button. */
export function showChosen(button, c, choices) {
  const label = c.placeholder || word("choose");
  button.replaceChildren(face(choices, label), icon("down"));
  button.setAttribute("aria-label", choices.length ? `${label}: ${choices.map((o) => o.name).join(", ")}` : label);
}

let open = null;

/** Closes the open list, if there is one. */
export function closePicker() {
  open?.finish(false);
}

/**
 * Opens the list of a select below its button. values are what is chosen now; done(values, choices) is called when it
 * closes with another choice. One choice closes it at once; several are sent when it closes.
 */
export function openPicker(button, c, world, values, done) {
  closePicker();
  open = new Picker(button, c, world, values, done);
}

class Picker {
  #button;
  #items;
  #shown;
  #min;
  #max;
  #picked;
  #before;
  #done;
  #at;
  #outside = (e) => { if (!this.box.contains(e.target) && !this.#button.contains(e.target)) this.finish(false); };
  #resized = () => this.finish(false);

  constructor(button, c, world, values, done) {
    this.#button = button;
    this.#done = done;
    this.#min = c.min_values ?? 1;
    this.#max = c.max_values ?? 1;
    this.#items = this.#shown = choicesOf(c, world);
    this.#picked = new Set(values);
    this.#before = [...this.#picked].join();
    this.#at = Math.max(0, this.#items.findIndex((o) => this.#picked.has(o.value)));
    this.#build(c.placeholder || word("choose"), this.#items.length >= searchFrom || c.type !== 3);
    document.addEventListener("pointerdown", this.#outside, true);
    addEventListener("resize", this.#resized);
    (button.closest("dialog") ?? document.body).append(this.box);
    button.setAttribute("aria-expanded", "true");
    this.#draw();
    place(this.box, button);
    (this.search ?? this.list).focus({ preventScroll: true });
  }

  #build(label, searched) {
    this.list = el("div", { id: "picker-list", role: "listbox", tabindex: "0", "aria-label": label, "aria-multiselectable": this.#max > 1 ? "true" : null });
    this.search = searched ? el("input", {
      type: "text", "data-search": true, role: "combobox", "aria-expanded": "true", "aria-controls": "picker-list", "aria-label": label,
      placeholder: label, autocomplete: "off", spellcheck: "false",
    }) : null;
    this.count = el("p", { class: "small", hidden: this.#max < 2 });
    this.box = el("div", { id: "picker" }, this.search, this.list, this.count);
    this.box.addEventListener("keydown", (e) => this.#key(e));
    this.list.addEventListener("click", (e) => this.#choose(this.#shown.find((o) => o.value === e.target.closest("[role=option]")?.dataset.option)));
    this.search?.addEventListener("input", () => {
      this.#shown = matchItems(this.#items, this.search.value);
      this.#at = 0;
      this.#draw();
    });
  }

  #draw() {
    const full = this.#max > 1 && this.#picked.size >= this.#max;
    this.list.replaceChildren(...this.#shown.map((o, i) => el("div", {
      role: "option", id: `picker-${i}`, "data-option": o.value, "aria-selected": String(this.#picked.has(o.value)), class: i === this.#at ? "at" : null,
      "aria-disabled": full && !this.#picked.has(o.value) ? "true" : null,
    }, o.sign?.cloneNode(true), el("span", { class: "words" }, el("span", { class: "name" }, o.name), o.detail && el("span", { class: "detail" }, o.detail)), icon("check"))));
    if (!this.#shown.length) this.list.append(el("p", { class: "small" }, word("nothingFits")));
    for (const n of [this.list, this.search]) n?.setAttribute("aria-activedescendant", `picker-${this.#at}`);
    this.count.textContent = `${this.#picked.size} / ${this.#max}`;
    this.list.querySelector(".at")?.scrollIntoView({ block: "nearest" });
  }

  #key(e) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[e.key];
    if (step) {
      this.#at = Math.max(0, Math.min(this.#shown.length - 1, this.#at + step));
      this.#draw();
    } else if (e.key === "Enter" || (e.key === " " && e.target !== this.search)) this.#choose(this.#shown[this.#at]);
    else if (e.key === "Escape" || e.key === "Tab") this.finish(true);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  #choose(o) {
    if (!o) return;
    const had = this.#picked.delete(o.value);
    if (this.#max === 1) {
      this.#picked.clear();
      if (!had || this.#min > 0) this.#picked.add(o.value);
      return this.finish(true);
    }
    if (!had && this.#picked.size < this.#max) this.#picked.add(o.value);
    this.#draw();
  }

  finish(back) {
    if (open !== this) return;
    open = null;
    document.removeEventListener("pointerdown", this.#outside, true);
    removeEventListener("resize", this.#resized);
    this.box.remove();
    this.#button.setAttribute("aria-expanded", "false");
    if (back) this.#button.focus({ preventScroll: true });
    if ([...this.#picked].join() === this.#before || this.#picked.size < this.#min) return;
    this.#done([...this.#picked], this.#items.filter((o) => this.#picked.has(o.value)));
  }
}

// Below the button, or above it where there is more room.
function place(box, button) {
  const r = button.getBoundingClientRect();
  const below = innerHeight - r.bottom;
  box.style.left = `${Math.max(8, Math.min(r.left, innerWidth - r.width - 8))}px`;
  box.style.width = `${r.width}px`;
  if (below < 220 && r.top > below) box.style.bottom = `${innerHeight - r.top + 4}px`;
  else box.style.top = `${r.bottom + 4}px`;
  box.style.maxHeight = `${Math.max(140, Math.min(340, (below < 220 && r.top > below ? r.top : below) - 16))}px`;
}
