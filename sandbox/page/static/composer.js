// The line at the bottom: a text to post, or a command that is put together option by option.

import { exactItem, fixedItems, matchCommands, matchItems, wants, wrong } from "./commands.js";
import { el, icon } from "./dom.js";
import { emojis } from "./emoji.js";
import { readFiles } from "./file.js";
import { authorName } from "./message.js";
import { parts, word } from "./text.js";

const pause = 120; // ms between typing and asking the bot

export class Composer {
  #world;
  #answers = null; // the message that is answered
  #command = null; // the chosen command
  #filled = new Map(); // option name to {text, value}
  #option = null; // the option being typed
  #items = [];
  #active = -1;
  #asked = 0;
  #timer = 0;

  /**
   * parts: form, entry, chips, current, list, hint, slash, answering. autocomplete(request) resolves with a result; send(request) too;
   * say puts a text to the status line.
   */
  constructor(nodes, world, { autocomplete, send, say }) {
    Object.assign(this, nodes, { autocomplete, send, say });
    this.#world = world;
    this.form.addEventListener("submit", (e) => { e.preventDefault(); this.#enter(); });
    this.entry.addEventListener("input", () => this.#typed());
    this.entry.addEventListener("keydown", (e) => this.#key(e));
    this.entry.addEventListener("focus", () => this.#refresh());
    this.entry.addEventListener("blur", () => this.#close());
    this.list.addEventListener("mousedown", (e) => e.preventDefault());
    this.list.addEventListener("click", (e) => {
      const item = e.target.closest("[role=option]");
      if (item) this.#pick(Number(item.dataset.index));
    });
    this.slash.addEventListener("click", () => this.#open());
    this.chips.addEventListener("click", (e) => this.#edit(e.target.closest("button")));
  }

  /** All that the reader is offered here, entries of menus too. */
  commands = [];

  get #commands() {
    return this.commands.filter((c) => c.type === 1);
  }

  /** Offers other commands. A command that is being typed stays as long as it exists. */
  offer(commands) {
    this.commands = commands;
    if (!this.#command) return this.#refresh();
    this.#command = this.#commands.find((c) => c.name === this.#command.name) ?? null;
    if (!this.#command) return this.clear();
    this.#option = this.#command.options.find((o) => o.name === this.#option?.name) ?? null;
    this.#draw();
  }

  /** Puts a text into the line, where the cursor is. */
  insert(text) {
    if (this.#command) this.clear();
    this.entry.setRangeText(text, this.entry.selectionStart, this.entry.selectionEnd, "end");
    this.entry.focus();
  }

  /** The next text answers a message; null: it answers none. */
  answer(info) {
    if (info && this.#command) this.clear();
    this.#answers = info?.message ?? null;
    const m = this.#answers;
    this.answering.hidden = !m;
    delete this.answering.dataset.replyTo;
    if (!m) return this.answering.replaceChildren();
    this.answering.dataset.replyTo = m.id;
    this.answering.replaceChildren(el("span", null, ...parts("replyingTo", el("strong", null, authorName(m, this.#world)))),
      el("button", { type: "button", class: "tool", "aria-label": word("cancel"), onclick: () => this.answer(null) }, icon("close")));
    this.entry.focus();
  }

  // The list of commands, as if a slash had been typed.
  #open() {
    if (!this.#command && !this.entry.value.startsWith("/")) this.entry.value = "/";
    this.entry.focus();
    this.#refresh();
  }

  clear() {
    this.answer(null);
    this.#command = this.#option = null;
    this.#filled.clear();
    this.entry.value = "";
    this.#draw();
    this.#close();
  }

  /** Begins a command, for example because it was clicked in a text. */
  begin(name) {
    this.clear();
    const command = this.#commands.find((c) => c.name === name);
    if (command) this.#choose(command);
    else this.entry.value = `/${name} `;
    this.entry.focus();
    this.#refresh();
  }

  // What has been typed may complete the command, or name an option: "/ttt challenge opponent:Bob side:first".
  #typed() {
    this.say("");
    for (let more = true; more; ) more = this.#absorb();
    this.#refresh();
  }

  #absorb() {
    const text = this.entry.value;
    if (!this.#command) {
      if (!text.startsWith("/")) return false;
      const fits = this.#commands.flatMap((c) => [c.name, c.shown].filter((n) => text.startsWith(`/${n} `)).map((n) => [c, n.length]));
      const [command, length] = fits.sort((a, b) => b[1] - a[1])[0] ?? [];
      if (!command) return false;
      this.#choose(command, false);
      this.entry.value = text.slice(length + 2).trimStart();
      return this.entry.value !== "";
    }
    const named = /(?:^|\s)(\S+?):\s*/u.exec(text);
    const option = named && this.#command.options.find((o) => (o.name === named[1] || o.shown === named[1]) && !this.#filled.has(o.name));
    if (!option || option === this.#option) return false;
    const before = text.slice(0, named.index);
    if (this.#option && before.trim()) this.#fill(this.#option, before);
    this.#option = option;
    this.entry.value = text.slice(named.index + named[0].length);
    this.#draw();
    return this.entry.value !== "";
  }

  #choose(command, required = true) {
    this.#command = command;
    this.#option = required ? this.#needed() : null;
    this.entry.value = "";
    this.#draw();
  }

  #needed() {
    return this.#command.options.find((o) => o.required && !this.#filled.has(o.name)) ?? null;
  }

  // Puts a typed text into an option: what it names if it names something, else as it stands.
  #fill(option, text) {
    const exact = exactItem(fixedItems(option, this.#world) ?? [], text);
    this.#filled.set(option.name, exact ? { text: exact.name, value: exact.value } : { text: text.trim(), value: text.trim() });
  }

  #key(e) {
    if (e.isComposing) return;
    const text = this.entry.value;
    switch (e.key) {
      case "ArrowDown": case "ArrowUp":
        if (!this.#items.length) return;
        this.#move(e.key === "ArrowDown" ? 1 : -1);
        break;
      case "Tab":
        if (e.shiftKey || !this.#items.length || (this.#active < 0 && !text)) return;
        this.#pick(Math.max(0, this.#active));
        break;
      case "Escape":
        if (!this.#command && !this.#items.length && !this.#answers) return;
        this.clear();
        break;
      case "Backspace":
        if (text !== "" || !this.#command) return;
        this.#back();
        break;
      default:
        return;
    }
    e.preventDefault();
  }

  #move(step) {
    const n = this.#items.length;
    this.#active = this.#active < 0 && step < 0 ? n - 1 : (this.#active + step + n) % n;
    this.#drawList();
  }

  #back() {
    const last = [...this.#filled.keys()].at(-1);
    if (this.#option && !this.#option.required) this.#option = null;
    else if (last) return this.#reopen(last);
    else {
      const name = this.#command.name;
      this.clear();
      this.entry.value = `/${name}`;
    }
    this.#draw();
    this.#refresh();
  }

  #edit(chip) {
    if (!chip) return;
    if (chip.dataset.option) this.#reopen(chip.dataset.option);
    this.entry.focus();
  }

  #reopen(name) {
    const text = this.entry.value;
    if (this.#option && text.trim()) this.#fill(this.#option, text);
    this.entry.value = this.#filled.get(name).text;
    this.#filled.delete(name);
    this.#option = this.#command.options.find((o) => o.name === name);
    this.#draw();
    this.#refresh();
  }

  #enter() {
    const text = this.entry.value;
    if (this.#active >= 0 && this.#items.length) return this.#pick(this.#active);
    if (!this.#command) return text.startsWith("/") ? this.#post({ do: "line", text }, text) : this.#say(text);
    if (this.#option) {
      const problem = text.trim() && wrong(this.#option, text.trim());
      if (problem) return this.say(`${this.#option.shown}: ${problem}`);
      if (text.trim()) this.#fill(this.#option, text);
      else if (this.#option.required) return this.say(`${this.#option.shown}: ${word("required")}`);
      this.entry.value = "";
      this.#option = this.#needed();
      this.#draw();
      return this.#refresh();
    }
    if (text.trim()) return this.say(`/${this.#command.shown} has no option “${text.trim()}”.`);
    this.#option = this.#needed();
    if (this.#option) {
      this.say(`${this.#option.shown}: ${word("required")}`);
      this.#draw();
      return this.#refresh();
    }
    const options = this.#values();
    this.#post({ do: "slash", command: this.#command.name, options }, `/${this.#command.shown}`);
  }

  #values() {
    return [...this.#filled].map(([name, { value, file }]) => ({ name, value, file }));
  }

  async #say(text) {
    if (!text.trim()) return;
    const message = this.#answers?.id;
    this.clear();
    const result = await this.send({ do: "say", text, message });
    if (!result.error) return this.say("");
    this.say(result.error);
    if (!this.entry.value) this.entry.value = text;
  }

  // Sends a command. What the client itself refuses comes back into the line, to be mended.
  async #post(request, name) {
    const saved = { command: this.#command, filled: new Map(this.#filled), text: this.entry.value };
    this.clear();
    const result = await this.send(request, name);
    this.say(result.error ?? "");
    if (!result.error || this.#command || this.entry.value) return;
    this.#command = saved.command;
    this.#filled = saved.filled;
    this.entry.value = saved.text;
    this.#option = this.#command && this.#needed();
    this.#draw();
  }

  #pick(index) {
    const item = this.#items[index];
    if (!item) return;
    if (item.upload) return this.#upload(this.#option);
    if (item.command) this.#choose(item.command);
    else if (item.option) {
      this.#option = item.option;
      this.entry.value = "";
    } else {
      this.#filled.set(this.#option.name, { text: item.name, value: String(item.value) });
      this.entry.value = "";
      this.#option = this.#needed();
    }
    this.#draw();
    this.entry.focus();
    this.#refresh();
  }

  // Lets the reader choose a file for an option.
  #upload(option) {
    const input = el("input", { type: "file" });
    input.addEventListener("change", async () => {
      const [file] = await readFiles(input.files);
      if (!file || this.#option !== option) return;
      this.#filled.set(option.name, { text: file.name, value: file.name, file });
      this.#option = this.#needed();
      this.#draw();
      this.entry.focus();
      this.#refresh();
    });
    input.click();
  }

  // Finds the suggestions for what stands in the line.
  #refresh() {
    clearTimeout(this.#timer);
    this.#asked++;
    const text = this.entry.value;
    if (document.activeElement !== this.entry) return this.#close();
    if (!this.#command) {
      if (!text.startsWith("/")) return this.#close();
      const found = matchCommands(this.#commands, text.slice(1));
      return this.#suggest(found.map((c) => ({ command: c, name: `/${c.shown}`, detail: c.description, more: c.options.map((o) => o.shown) })), found.length ? word("commands") : word("noCommand"), true);
    }
    if (!this.#option) return this.#offerOptions(text);
    const items = fixedItems(this.#option, this.#world);
    if (items) return this.#suggest(matchItems(items, text), this.#about(), true);
    if (this.#option.autocomplete) return this.#ask(text);
    this.#suggest([], this.#about(), false);
  }

  #about() {
    const o = this.#option;
    return `${o.shown}: ${o.description} (${wants(o)}${o.required ? "" : `, ${word("optional")}`})`;
  }

  #offerOptions(text) {
    const left = this.#command.options.filter((o) => !this.#filled.has(o.name) && o.shown.startsWith(text.trim()));
    const items = left.map((o) => ({ option: o, name: o.shown, detail: o.description, optional: !o.required }));
    this.#suggest(items, `/${this.#command.shown}: ${this.#command.description}`, text.trim() !== "");
  }

  #ask(text) {
    const mine = this.#asked;
    this.#suggest([], `${this.#about()} …`, false);
    const options = this.#values();
    const request = { do: "autocomplete", command: this.#command.name, option: this.#option.name, text, options };
    this.#timer = setTimeout(async () => {
      const result = await this.autocomplete(request);
      if (mine !== this.#asked || !this.#option) return;
      if (result.failed) return this.#suggest([], word("silent"), false);
      if (result.error) return this.#suggest([], result.error, false);
      this.#suggest((result.choices ?? []).map((c) => ({ name: c.name, value: c.value })), this.#about(), true);
    }, pause);
  }

  #suggest(items, hint, chooseFirst) {
    this.#items = items;
    this.#active = chooseFirst && items.length ? 0 : -1;
    this.hint.textContent = hint;
    this.hint.hidden = !hint;
    this.#drawList();
  }

  #close() {
    this.#suggest([], "", false);
  }

  #drawList() {
    this.list.replaceChildren(...this.#items.map((item, i) => el("li", {
      role: "option", id: `suggestion-${i}`, "data-index": i, "data-suggestion": item.command?.name ?? item.option?.name ?? item.value,
      "aria-selected": i === this.#active ? "true" : "false",
    }, item.command ? el("img", { src: "/static/icon.svg", alt: "" }) : item.sign,
    el("span", { class: "words" }, el("span", { class: "name" }, ...emojis(item.name), ...(item.more ?? []).map((o) => el("span", { class: "hinted" }, o))),
      item.detail && el("span", { class: "detail" }, item.detail)), item.optional && el("span", { class: "detail" }, word("optional")))));
    this.list.hidden = this.#items.length === 0;
    this.entry.setAttribute("aria-expanded", String(!this.list.hidden));
    if (this.#active >= 0) this.entry.setAttribute("aria-activedescendant", `suggestion-${this.#active}`);
    else this.entry.removeAttribute("aria-activedescendant");
    this.list.children[this.#active]?.scrollIntoView({ block: "nearest" });
  }

  // The command and its filled options as chips before the entry.
  #draw() {
    const chips = [];
    if (this.#command) chips.push(el("span", { class: "chip command" }, `/${this.#command.shown}`));
    for (const [name, v] of this.#filled) {
      const shown = this.#command?.options.find((o) => o.name === name)?.shown ?? name;
      chips.push(el("button", { type: "button", class: "chip", "data-option": name, "data-chip": name, "aria-label": `${shown}: ${v.text}. Change` },
        el("span", { class: "key" }, `${shown}:`), ` ${v.text}`));
    }
    this.chips.replaceChildren(...chips);
    this.current.textContent = this.#option ? `${this.#option.shown}:` : "";
    this.current.hidden = !this.#option;
    this.entry.placeholder = this.#command ? "" : this.#world.invitation();
    this.form.classList.toggle("command", Boolean(this.#command));
  }

  /** Brings the placeholder up to date. */
  invite() {
    this.#draw();
  }
}
