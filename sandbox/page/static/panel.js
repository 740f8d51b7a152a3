// The traffic between the bot and the stand-in, newest first, and the switches for faults above it.

import { el, icon } from "./dom.js";

const kept = 300; // lines
const shownAtMost = 120;
const kinds = { all: "All", request: "Requests", interaction: "Interactions", event: "Events", control: "Control" };

export class Panel {
  #node;
  #entries = []; // newest first
  #waiting = 0; // how many came while paused
  #paused = false;
  #kind = "all";
  #words = "";
  #opened = new Map(); // number of an entry to its details
  #last = 0;

  /** ask(request) resolves with a result; close() is called by the button that closes the panel. */
  constructor(node, faults, { ask, close }) {
    this.#node = node;
    this.ask = ask;
    this.list = el("ol", { id: "traffic", "aria-label": "Traffic, newest first" });
    this.pause = el("button", { type: "button", class: "tool", "data-pause": true, "aria-pressed": "false", "aria-label": "Pause", title: "Pause", onclick: () => this.#stop() }, icon("pause"));
    this.state = el("p", { class: "small" });
    node.append(
      el("header", null, el("h2", null, "Traffic and faults"), el("button", { type: "button", class: "tool", "aria-label": "Close the panel", "data-close": true, onclick: close }, icon("close"))),
      el("div", { class: "inside" },
        el("details", { id: "switches" }, el("summary", null, icon("bolt"), "Faults"), faults.node),
        el("div", { class: "filters" }, el("div", { class: "row", role: "group", "aria-label": "Kinds" }, ...Object.entries(kinds).map(([key, text]) => el("button", {
          type: "button", class: "chip", "data-kinds": key, "aria-pressed": String(key === "all"), onclick: () => this.#choose(key),
        }, text))),
        el("div", { class: "row" }, el("input", { id: "filter", type: "search", placeholder: "Filter, for example PATCH or 10062", "aria-label": "Filter", spellcheck: "false", oninput: (e) => { this.#words = e.target.value.toLowerCase(); this.#draw(); } }),
          this.pause, el("button", { type: "button", class: "tool", "data-clear": true, "aria-label": "Clear", title: "Clear", onclick: () => this.#clear() }, icon("trash")))),
        this.state, this.list));
    this.list.addEventListener("click", (e) => this.#open(e.target.closest("[data-more]")?.closest("[data-entry]")));
  }

  /** Begins anew, for example after a broken connection: all that is still known comes again. */
  reset() {
    this.#entries = [];
    this.#opened.clear();
    this.#last = this.#waiting = 0;
    this.#draw();
  }

  /** Takes lines of the traffic, oldest first. */
  take({ entries }) {
    const fresh = entries.filter((e) => e.n > this.#last);
    if (!fresh.length) return;
    this.#last = fresh.at(-1).n;
    if (this.#paused) this.#waiting += fresh.length;
    this.#entries = [...fresh.reverse(), ...this.#entries].slice(0, kept);
    if (this.#paused) this.#tell();
    else this.#add(fresh);
  }

  #fits(e) {
    if (this.#kind !== "all" && e.kind !== this.#kind) return false;
    return !this.#words || `${e.title} ${e.note ?? ""} ${e.status ?? ""}`.toLowerCase().includes(this.#words);
  }

  // New lines go on top; the others stay as they are.
  #add(fresh) {
    const rows = fresh.filter((e) => this.#fits(e)).slice(0, shownAtMost).map((e) => this.#row(e));
    this.list.prepend(...rows);
    while (this.list.children.length > shownAtMost) this.list.lastChild.remove();
    this.#tell();
  }

  #draw() {
    this.list.replaceChildren(...this.#entries.filter((e) => this.#fits(e)).slice(0, shownAtMost).map((e) => this.#row(e)));
    this.#tell();
  }

  #tell() {
    const text = this.#paused ? `Paused: ${this.#waiting} new` : this.#entries.length ? "" : "Nothing yet.";
    if (this.state.textContent !== text) this.state.textContent = text;
  }

  #row(e) {
    const open = this.#opened.get(e.n);
    const bad = e.fault || e.status >= 400;
    const answer = e.kind === "request" ? (e.status ? String(e.status) : "—") : "";
    const direction = e.from_bot ? "from the bot" : "to the bot";
    const time = new Date(e.at);
    return el("li", { "data-entry": e.n, "data-kind": e.kind, class: bad ? "bad" : null },
      el("button", { type: "button", "data-more": true, "aria-expanded": String(Boolean(open)) },
        el("span", { class: "way", title: direction }, icon(e.from_bot ? "out" : "in"), el("span", { class: "unseen" }, direction)),
        el("span", { class: "title" }, e.title), answer && el("span", { class: "answer" }, answer),
        el("span", { class: "small" }, [e.note, e.ms !== undefined && `${e.ms < 10 ? e.ms.toFixed(1) : Math.round(e.ms)} ms`, time.toLocaleTimeString()].filter(Boolean).join(" · "))),
      open);
  }

  async #open(row) {
    if (!row) return;
    const n = Number(row.dataset.entry);
    const button = row.querySelector("[data-more]");
    if (this.#opened.has(n)) {
      this.#opened.get(n).remove();
      this.#opened.delete(n);
      button.setAttribute("aria-expanded", "false");
      return;
    }
    const { detail, error } = await this.ask({ do: "detail", entry: n });
    const parts = detail ? [["Request", detail.request], ["Answer", detail.response]].filter(([, v]) => v !== undefined && v !== null) : [];
    const title = (name) => (row.dataset.kind === "request" ? el("h4", null, name) : null);
    const node = el("div", { class: "detail" }, detail?.path && el("p", { class: "small path" }, detail.path), ...parts.flatMap(([name, v]) => [title(name), el("pre", { tabindex: "0", role: "group", "aria-label": name }, el("code", null, JSON.stringify(v, null, 2)))]),
      !parts.length && el("p", { class: "small" }, error ?? "No bodies, or too large to keep."));
    this.#opened.set(n, node);
    row.append(node);
    button.setAttribute("aria-expanded", "true");
  }

  #choose(kind) {
    this.#kind = kind;
    for (const b of this.#node.querySelectorAll("[data-kinds]")) b.setAttribute("aria-pressed", String(b.dataset.kinds === kind));
    this.#draw();
  }

  #stop() {
    this.#paused = !this.#paused;
    this.pause.setAttribute("aria-pressed", String(this.#paused));
    this.pause.replaceChildren(icon(this.#paused ? "play" : "pause"));
    if (this.#paused) return this.#tell();
    this.#waiting = 0;
    this.#draw();
  }

  #clear() {
    this.#entries = [];
    this.#opened.clear();
    this.#waiting = 0;
    this.#draw();
  }
}
