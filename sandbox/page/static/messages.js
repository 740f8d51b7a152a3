// The list of messages of the open channel. A message keeps its nodes for as long as it is shown; an edit only patches
// what differs.

import { body } from "./components.js";
import { el, isOff, patch } from "./dom.js";
import { clock } from "./time.js";

const limit = 300;

export class Messages {
  #list;
  #world;
  #shown = new Map(); // id to {info, node, json}
  #pending = new Set(); // ids of messages with a click that is not answered yet
  #notes = new Map(); // id to what stands below the message
  #dismissed = new Set();
  #frame = 0;
  #down = true; // the reader is at the end and wants to stay there

  /** act(request, label) sends what a component does and resolves with the result; say puts a text to the status line. */
  constructor(list, world, { act, say }) {
    this.#list = list;
    this.#world = world;
    this.act = act;
    this.say = say;
    list.addEventListener("click", (e) => this.#clicked(e));
    list.addEventListener("change", (e) => this.#changed(e));
    list.addEventListener("keydown", (e) => this.#walked(e));
    list.addEventListener("scroll", () => { this.#down = this.#atBottom(); });
    new ResizeObserver(() => { if (this.#down) this.#toBottom(); }).observe(list);
  }

  /** Shows a channel from scratch; nodes of messages that were there already stay. */
  show(infos, sameChannel) {
    if (!sameChannel) this.clear();
    const ids = new Set(infos.map((i) => i.message.id));
    for (const id of [...this.#shown.keys()]) if (!ids.has(id)) this.remove(id);
    for (const info of infos) this.put(info);
    if (!sameChannel) this.#toBottom();
  }

  clear() {
    this.#shown.clear();
    this.#pending.clear();
    this.#notes.clear();
    this.#list.replaceChildren();
  }

  /** Draws all again, for example for another reader. */
  redraw() {
    for (const entry of this.#shown.values()) {
      entry.json = "";
      this.put(entry.info);
    }
  }

  /** Adds a message or brings it up to date. */
  put(info) {
    const id = info.message.id;
    if (this.#dismissed.has(id)) return;
    const json = JSON.stringify(info);
    const old = this.#shown.get(id);
    if (old?.json === json) return;
    const down = this.#atBottom();
    const focus = old && this.#focused(old.node);
    const node = old ? patch(old.node, this.#draw(info)) : this.#insert(id, this.#draw(info));
    this.#shown.set(id, { info, node, json });
    if (focus) refocus(node, focus);
    if (down) this.#toBottom();
    this.#trim();
  }

  remove(id) {
    this.#shown.get(id)?.node.remove();
    this.#shown.delete(id);
    this.#pending.delete(id);
    this.#notes.delete(id);
  }

  /** A note that is no message: something that failed before there was one. */
  note(text) {
    const down = this.#atBottom();
    const node = el("article", { class: "message note" }, el("div", { class: "frame" },
      el("p", { class: "failed" }, text),
      el("p", { class: "only" }, "Only you can see this · ", el("button", { type: "button", class: "plain", onclick: () => node.remove() }, "Dismiss"))));
    this.#list.append(node);
    if (down) this.#toBottom();
  }

  /** Scrolls to a message and marks it; false when it is not here. */
  jump(id) {
    const node = this.#shown.get(id)?.node;
    if (!node) return false;
    node.scrollIntoView({ block: "center" });
    node.classList.add("found");
    node.focus({ preventScroll: true });
    setTimeout(() => node.classList.remove("found"), 2000);
    return true;
  }

  /** The first line of a message, to be read out. */
  summary(id) {
    const node = this.#shown.get(id)?.node;
    return (node?.querySelector(".body")?.innerText ?? "").split("\n").filter((l) => l.trim()).slice(0, 2).join(". ").slice(0, 160);
  }

  #insert(id, node) {
    let before = null;
    for (let at = this.#list.lastElementChild; at; at = at.previousElementSibling) {
      if (at.dataset.id && older(at.dataset.id, id)) break;
      if (at.dataset.id) before = at;
    }
    this.#list.insertBefore(node, before);
    return node;
  }

  #draw({ message: m, pings, all, viewer }) {
    const world = this.#world;
    const author = world.person(m.author.id);
    const name = author?.name ?? m.author.global_name ?? m.author.username;
    const pinged = m.author.id !== world.me && (all || pings.includes(world.me));
    const classes = ["message", pinged && "pinged", viewer && "private"].filter(Boolean).join(" ");
    return el("article", { class: classes, "data-id": m.id, tabindex: "-1", "aria-label": `Message of ${name}` },
      el("div", { class: `avatar tint-${Number(BigInt(m.author.id) % 6n)}`, "aria-hidden": "true" }, [...name][0] ?? "?"),
      el("div", { class: "frame" },
        this.#origin(m),
        el("header", null, el("span", { class: "author" }, name), m.author.bot && el("span", { class: "badge" }, "APP"),
          clock(m.timestamp, world.locale), m.edited_timestamp && !m.author.bot && el("span", { class: "small" }, "(edited)")),
        body(m, world),
        viewer && el("p", { class: "only" }, "Only you can see this · ", el("button", { type: "button", class: "plain", "data-dismiss": true }, "Dismiss")),
        el("p", { class: "failed", role: "alert", hidden: !this.#notes.has(m.id) }, this.#notes.get(m.id) ?? "")));
  }

  #origin(m) {
    const used = m.interaction_metadata;
    if ((m.type === 20 || m.type === 23) && used?.user) {
      return el("p", { class: "origin" }, `${this.#world.person(used.user.id)?.name ?? used.user.username} used a command`);
    }
    const ref = m.message_reference;
    if (!ref?.message_id) return null;
    return el("p", { class: "origin" }, el("a", { href: location.hash || "#", "data-jump-channel": ref.channel_id, "data-jump-message": ref.message_id }, "In answer to a message"));
  }

  #entryOf(node) {
    return this.#shown.get(node.closest(".message")?.dataset.id);
  }

  #clicked(e) {
    const spoiler = e.target.closest(".spoiler");
    if (spoiler) spoiler.setAttribute("data-revealed", "");
    const button = e.target.closest("button");
    const entry = button && this.#entryOf(button);
    if (!entry) return;
    const id = entry.info.message.id;
    if (button.dataset.dismiss !== undefined) {
      this.#dismissed.add(id);
      this.remove(id);
    } else if (button.dataset.choose) {
      const select = button.parentElement.querySelector("select");
      this.#send(entry, button, { do: "select", custom_id: button.dataset.choose, values: [...select.selectedOptions].map((o) => o.value) });
    } else if (button.dataset.customId && !isOff(button)) {
      this.#send(entry, button, { do: "click", custom_id: button.dataset.customId });
    }
  }

  #changed(e) {
    const select = e.target.closest("select");
    const entry = select && !select.multiple && this.#entryOf(select);
    if (entry) this.#send(entry, select, { do: "select", custom_id: select.dataset.customId, values: [select.value] });
  }

  // One click of a message at a time, as in the client that the bot will meet.
  async #send(entry, control, request) {
    const { id, channel_id: channel } = entry.info.message;
    if (this.#pending.has(id)) return;
    this.#pending.add(id);
    this.#remark(id, null);
    this.say("");
    control.setAttribute("aria-busy", "true");
    const result = await this.act({ ...request, channel, message: id });
    this.#pending.delete(id);
    control.removeAttribute("aria-busy");
    const node = this.#shown.get(id)?.node;
    node?.querySelectorAll("[aria-busy]").forEach((n) => n.removeAttribute("aria-busy"));
    node?.querySelectorAll("select:not([multiple])").forEach((s) => {
      const initial = [...s.options].findIndex((o) => o.defaultSelected);
      s.selectedIndex = Math.max(0, initial);
    });
    if (result.failed) this.#remark(id, "This interaction failed");
    else if (result.error) this.#remark(id, result.error);
  }

  #remark(id, text) {
    if (text) this.#notes.set(id, text);
    else this.#notes.delete(id);
    const down = this.#atBottom();
    const place = this.#shown.get(id)?.node.querySelector(":scope > .frame > .failed");
    if (place) {
      place.hidden = !text;
      place.textContent = text ?? "";
    }
    if (down) this.#toBottom();
  }

  // Arrow keys walk over the buttons of a message, as over the board they are.
  #walked(e) {
    const spoiler = e.target.closest(".spoiler");
    if (spoiler && (e.key === "Enter" || e.key === " ")) spoiler.click();
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key] ?? [];
    const row = e.target.closest("button")?.closest(".row");
    if (!row || dx === undefined) return;
    e.preventDefault();
    const rows = [...row.closest(".body").querySelectorAll(".row")].map((r) => [...r.children]);
    let y = rows.findIndex((r) => r.includes(e.target));
    let x = rows[y].indexOf(e.target);
    for (x += dx, y += dy; rows[y] && (dy || rows[y][x]); x += dx, y += dy) {
      const next = rows[y][Math.min(x, rows[y].length - 1)];
      if (next && !isOff(next)) return next.focus();
    }
  }

  #focused(node) {
    const at = document.activeElement;
    return node.contains(at) && at.dataset?.label ? at.dataset.label : null;
  }

  #atBottom() {
    return this.#list.scrollHeight - this.#list.scrollTop - this.#list.clientHeight < 80;
  }

  #toBottom() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => { this.#list.scrollTop = this.#list.scrollHeight; });
  }

  #trim() {
    while (this.#shown.size > limit) this.remove(this.#list.querySelector("[data-id]").dataset.id);
  }
}

// Ids are numbers too large for Number; of two, the shorter or else the smaller text is older.
function older(a, b) {
  return a.length === b.length ? a < b : a.length < b.length;
}

// A board that has moved under the reader: the focus follows the label it was on, if that is still there.
function refocus(node, label) {
  if (document.activeElement?.dataset?.label === label && node.contains(document.activeElement)) return;
  for (const b of node.querySelectorAll("button[data-label]")) {
    if (b.dataset.label === label && !b.disabled) return b.focus({ preventScroll: true });
  }
}
