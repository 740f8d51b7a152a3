// The messages of the open channel. Of a long channel a stretch is in the document; more of it comes as the reader
// scrolls. A message keeps its nodes for as long as it is shown; an edit only patches what differs.

import { findComponent } from "./components.js";
import { el, isOff, patch } from "./dom.js";
import { enlarge } from "./media.js";
import { authorName, draw, drawNote, drawTools, follows } from "./message.js";
import { openPicker } from "./picker.js";
import { word } from "./text.js";
import { day } from "./time.js";
import { focusedLabel, refocus, walk } from "./walk.js";

const limit = 180; // messages in the document
const reach = 800; // pixels from either end at which more is asked for
const patience = 400; // ms before a command that is on its way is shown as such

export class Messages {
  #scroll;
  #list = el("div", { class: "stream" });
  #present;
  #world;
  #shown = new Map(); // id to {info, node, key}
  #order = []; // ids, oldest first
  #older = false; // there are messages before the first
  #newer = false; // there are messages behind the last
  #fetching = false;
  #pending = new Set(); // ids of messages with a click that is not answered yet
  #problems = new Map(); // id to what stands below the message
  #dismissed = new Set();
  #tools = drawTools();
  #frame = 0; // in which the end will be scrolled to; 0: none
  #down = true; // the reader is at the end and wants to stay there
  #top = 0; // of the part in view, when it was last scrolled

  /**
   * act(request) sends what a component does and resolves with the result; ask fetches; say puts a text to the status
   * line; tool(key, info, button) does what the buttons beside a message are for.
   */
  constructor(scroll, present, world, { act, ask, say, tool }) {
    Object.assign(this, { act, ask, say, tool });
    this.#scroll = scroll;
    this.#present = present;
    this.#world = world;
    scroll.append(this.#list);
    scroll.addEventListener("click", (e) => this.#clicked(e));
    scroll.addEventListener("keydown", (e) => walk(e, scroll));
    scroll.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    for (const name of ["pointerover", "focusin"]) scroll.addEventListener(name, (e) => this.#touched(e));
    present.addEventListener("click", () => this.toPresent());
    const watcher = new ResizeObserver(() => { if (this.#down) this.#toBottom(); });
    watcher.observe(scroll);
    watcher.observe(this.#list);
  }

  get size() {
    return this.#order.length;
  }

  /** Shows a stretch of a channel; nodes of messages that were there already stay. */
  show({ messages, older, newer }, sameChannel) {
    if (!sameChannel) this.clear();
    const ids = new Set(messages.map((i) => i.message.id));
    for (const id of [...this.#order]) if (!ids.has(id)) this.remove(id);
    this.#set(messages);
    this.#older = older;
    this.#newer = newer;
    this.#down = !newer;
    this.#mark();
    if (this.#down) this.#toBottom();
  }

  clear() {
    for (const c of [this.#shown, this.#pending, this.#problems]) c.clear();
    this.#order = [];
    this.#list.replaceChildren();
  }

  /** Draws all again, for example in another language. */
  redraw() {
    const tools = drawTools();
    this.#tools.replaceWith(tools);
    this.#tools = tools;
    for (const id of this.#order) this.#lay(id, true);
  }

  /** Takes a message that is new or has changed. */
  put(info) {
    const id = info.message.id;
    const last = this.#order.at(-1);
    if (this.#shown.has(id)) this.#set([info]);
    else if (last && older(id, this.#order[0]) && this.#older) return;
    else if (last && older(last, id) && (this.#newer || (!this.#down && this.size >= limit))) {
      this.#newer = true; // it comes when the reader scrolls there
      this.#mark();
    } else {
      this.#set([info]);
      if (this.size > limit) this.#hold(() => this.#cut("start"));
    }
    if (this.#down) this.#toBottom();
  }

  info(id) {
    return this.#shown.get(id)?.info;
  }

  remove(id) {
    const i = this.#order.indexOf(id);
    if (i < 0) return;
    this.#drop(id);
    if (this.#order[i]) this.#lay(this.#order[i]);
  }

  #drop(id) {
    const { node } = this.#shown.get(id);
    if (node.previousElementSibling?.classList.contains("day")) node.previousElementSibling.remove();
    node.remove();
    this.#order.splice(this.#order.indexOf(id), 1);
    for (const c of [this.#shown, this.#pending, this.#problems]) c.delete(id);
  }

  /**
   * Shows that a command is on its way, if it takes a while. The function that comes back ends that: with a text it
   * says what went wrong.
   */
  sending(name) {
    let note = null;
    const show = (text, failed) => {
      note?.remove();
      note = text ? drawNote(this.#world, name, text, failed) : null;
      if (!note) return;
      this.#list.append(note);
      if (this.#down) this.#toBottom();
    };
    const timer = setTimeout(() => show(word("sending"), false), patience);
    return (problem) => {
      clearTimeout(timer);
      show(problem, true);
    };
  }

  /** Scrolls to a message and marks it; resolves with false when it is gone. */
  async jump(id) {
    if (!this.#shown.has(id)) {
      const { leaf } = await this.#fetch("around", id);
      if (!leaf) return false;
      this.show(leaf, false);
      this.#down = false;
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
    }
    const node = this.#shown.get(id)?.node;
    if (!node) return false;
    node.scrollIntoView({ block: "center" });
    node.classList.add("found");
    node.focus({ preventScroll: true });
    setTimeout(() => node.classList.remove("found"), 2000);
    return true;
  }

  /** Shows the newest messages, those to come too. The focus stays where it is. */
  async follow() {
    if (this.#newer) {
      const { leaf } = await this.#fetch("", "");
      if (!leaf) return;
      this.show(leaf, false);
    }
    this.#down = true;
    this.#toBottom();
  }

  /** Goes to the newest messages. */
  async toPresent() {
    await this.follow();
    this.#scroll.focus({ preventScroll: true });
  }

  /** The first lines of a message, to be read out. */
  summary(id) {
    const entry = this.#shown.get(id);
    if (!entry) return "";
    const text = (entry.node.querySelector(".body")?.innerText ?? "").split("\n").filter((l) => l.trim()).slice(0, 2).join(". ").slice(0, 160);
    return `${authorName(entry.info.message, this.#world)}: ${text}`;
  }

  // Adds messages to the stretch, or brings them up to date.
  #set(infos) {
    const ids = infos.map((info) => this.#enter(info)).filter(Boolean);
    const behind = this.#order[this.#order.indexOf(ids.at(-1)) + 1];
    for (const id of ids.reverse()) this.#lay(id); // from the end: each finds its place by the one behind it
    if (behind) this.#lay(behind);
  }

  // Notes a message and its place among the others; nothing is drawn yet.
  #enter(info) {
    const id = info.message.id;
    if (this.#dismissed.has(id)) return null;
    const entry = this.#shown.get(id);
    if (entry) {
      entry.info = info;
      return id;
    }
    let at = this.#order.length;
    while (at > 0 && older(id, this.#order[at - 1])) at--;
    this.#order.splice(at, 0, id);
    this.#shown.set(id, { info, node: null, key: "" });
    return id;
  }

  // Draws a message at its place, if it does not look so already.
  #lay(id, anyway = false) {
    const entry = this.#shown.get(id);
    const before = this.#shown.get(this.#order[this.#order.indexOf(id) - 1])?.info;
    const date = day(entry.info.message.timestamp, this.#world.locale);
    const fresh = !before || day(before.message.timestamp, this.#world.locale) !== date;
    const joined = !fresh && follows(entry.info, before);
    const key = `${joined} ${JSON.stringify(entry.info)}`;
    if (anyway || entry.key !== key) this.#paint(id, entry, joined);
    entry.key = key;
    this.#date(entry.node, fresh && (before || !this.#older) ? date : "");
  }

  #paint(id, entry, joined) {
    const next = draw(entry.info, this.#world, { joined, problem: this.#problems.get(id), waiting: this.#pending.has(id) });
    if (!entry.node) {
      const behind = this.#shown.get(this.#order[this.#order.indexOf(id) + 1])?.node;
      const place = behind?.previousElementSibling?.classList.contains("day") ? behind.previousElementSibling : behind;
      this.#list.insertBefore(next, place ?? null);
      entry.node = next;
      return;
    }
    const focus = focusedLabel(entry.node);
    entry.node = patch(entry.node, next);
    if (focus) refocus(entry.node, focus);
  }

  // The line with the date above the first message of a day.
  #date(node, text) {
    const line = node.previousElementSibling?.classList.contains("day") ? node.previousElementSibling : null;
    if (!text) line?.remove();
    else if (!line) node.before(el("div", { class: "day", role: "separator" }, el("span", null, text)));
    else if (line.textContent !== text) line.firstChild.textContent = text;
  }

  // Takes messages out of the document at one end.
  #cut(end) {
    const out = end === "start" ? this.#order.slice(0, this.size - limit) : this.#order.slice(limit);
    for (const id of out) this.#drop(id);
    if (end === "start") this.#older = true;
    else this.#newer = true;
    this.#lay(this.#order[0]);
  }

  // Does something to the list while the message in view keeps its place.
  #hold(work) {
    if (this.#down) return work();
    const top = this.#scroll.scrollTop;
    const anchor = [...this.#list.children].find((n) => n.dataset.message && n.offsetTop + n.offsetHeight > top);
    const before = anchor?.offsetTop;
    work();
    if (anchor?.isConnected) this.#scroll.scrollTop = this.#scroll.scrollTop + anchor.offsetTop - before;
  }

  async #fetch(where, message) {
    const channel = this.#world.channel;
    this.#fetching = true;
    const result = await this.ask({ do: "page", channel, where, message });
    this.#fetching = false;
    return channel === this.#world.channel ? result : {};
  }

  async #more(where) {
    if (this.#fetching) return;
    const edge = () => where === "before" ? this.#order[0] : this.#order.at(-1);
    const from = edge();
    const { leaf } = await this.#fetch(where, from);
    if (!leaf || edge() !== from) return; // another stretch is shown by now
    if (where === "before") this.#older = leaf.older;
    else this.#newer = leaf.newer;
    this.#hold(() => {
      this.#set(leaf.messages);
      if (this.size > limit) this.#cut(where === "before" ? "end" : "start");
    });
    this.#mark();
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroll;
    const left = scrollHeight - scrollTop - clientHeight;
    const up = scrollTop < this.#top;
    this.#top = scrollTop;
    if (!this.#frame) { // else it is on its way to the end
      if (!this.#newer && left < 60) this.#down = true;
      else if (up || this.#newer) this.#down = false; // the list has not just grown
    }
    if (this.#older && scrollTop < reach) this.#more("before");
    else if (this.#newer && left < reach) this.#more("after");
    this.#mark();
  }

  #mark() {
    this.#scroll.classList.toggle("older", this.#older);
    this.#present.hidden = !this.#newer;
    if (!this.#present.hidden) this.#present.textContent = word("newest");
  }

  #toBottom() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#scroll.scrollTop = this.#scroll.scrollHeight;
    });
  }

  // The buttons beside a message are where the pointer or the focus is.
  #touched(e) {
    const node = e.target.closest("[data-message]");
    if (node && this.#tools.parentElement !== node && !this.#tools.contains(document.activeElement)) node.append(this.#tools);
  }

  #clicked(e) {
    const note = e.target.closest("[data-note]");
    if (note && e.target.closest("[data-dismiss]")) return note.remove();
    const enlarged = e.target.closest("[data-enlarge]");
    if (enlarged) return enlarge(enlarged.dataset.enlarge, enlarged.getAttribute("aria-label"));
    const hidden = e.target.closest(".spoiler, .covered");
    if (hidden) hidden.setAttribute("data-revealed", "");
    const button = e.target.closest("button");
    const entry = button && this.#shown.get(button.closest(".message")?.dataset.message);
    if (entry && !isOff(button)) this.#pressed(button, entry);
  }

  #pressed(button, entry) {
    const { id } = entry.info.message;
    if (button.dataset.dismiss !== undefined) {
      this.#dismissed.add(id);
      this.remove(id);
      this.#scroll.focus({ preventScroll: true });
    } else if (button.dataset.tool) this.tool(button.dataset.tool, entry.info, button);
    else if (button.dataset.premium !== undefined) this.say("There is nothing to buy in the sandbox.");
    else if (button.dataset.button) this.#send(entry, button, { do: "click", custom_id: button.dataset.button });
    else if (button.dataset.select && !this.#pending.has(id)) this.#open(button, entry);
  }

  #open(button, entry) {
    const c = findComponent(entry.info.message.components, button.dataset.select);
    if (!c) return;
    const values = [...(c.default_values ?? []).map((d) => d.id), ...(c.options ?? []).filter((o) => o.default).map((o) => o.value)];
    openPicker(button, c, this.#world, values, (chosen) => {
      const now = this.#shown.get(entry.info.message.id);
      if (now) this.#send(now, button, { do: "select", custom_id: c.custom_id, values: chosen });
    });
  }

  // One click of a message at a time, as in the client that the bot will meet.
  async #send(entry, control, request) {
    const { id, channel_id: channel } = entry.info.message;
    if (this.#pending.has(id)) return;
    this.#pending.add(id);
    this.#remark(id, null);
    this.say("");
    control.setAttribute("aria-busy", "true");
    entry.node.classList.add("waiting");
    const result = await this.act({ ...request, channel, message: id });
    this.#pending.delete(id);
    control.removeAttribute("aria-busy");
    const node = this.#shown.get(id)?.node;
    node?.classList.remove("waiting");
    node?.querySelectorAll("[aria-busy]").forEach((n) => n.removeAttribute("aria-busy"));
    if (result.failed) this.#remark(id, word("failed"));
    else if (result.error) this.#remark(id, result.error);
  }

  #remark(id, text) {
    if (text) this.#problems.set(id, text);
    else this.#problems.delete(id);
    const place = this.#shown.get(id)?.node.querySelector("[data-problem]");
    if (!place) return;
    place.hidden = !text;
    place.lastChild.textContent = text ?? "";
    if (this.#down) this.#toBottom();
  }
}

// Ids are numbers too large for Number; of two, the shorter or else the smaller text is older.
function older(a, b) {
  return a.length === b.length ? a < b : a.length < b.length;
}
