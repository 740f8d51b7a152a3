// The switches for what can go wrong between the bot and the stand-in.

import { el, icon } from "./dom.js";

const names = {
  slow: "Slow: answers take 2 s", late: "Too slow: answers take 4 s", limit: "429: a rate limit", global: "429: the global limit",
  proxy: "429: HTML from the proxy", error: "500: an internal error", lost: "Lost: work done, connection cut",
  silence: "Silence: no events, no acks", twice: "Twice: each interaction comes twice",
};
const short = {
  slow: "slow", late: "too slow", limit: "429", global: "global 429", proxy: "HTML 429", error: "500", lost: "lost answers", silence: "silence", twice: "delivered twice",
};
const answers = ["slow", "late", "limit", "global", "proxy", "error", "lost"];
const gateway = ["silence", "twice"];
const acts = {
  drop: "Drop the connection", reconnect: "Op 7: reconnect", resumable: "Op 9: invalid, resumable", invalid: "Op 9: invalid session",
};
const permissions = { view: "View channel", send: "Send messages", embed: "Embed links", attach: "Attach files", history: "Read history" };
const targets = { all: "Every request", answers: "First answers to interactions", edits: "Edits of messages", posts: "New messages" };

/** ask(request) resolves with a result; say puts a text to the status line. */
export class Faults {
  #world;
  #state = { on: [], denied: {}, target: "all", times: 0 };

  constructor(world, banner, { ask, say }) {
    Object.assign(this, { banner, ask, say });
    this.#world = world;
    this.node = this.#build();
    for (const place of [banner, this.node]) place.addEventListener("click", (e) => this.#clicked(e));
    for (const id of ["target", "times"]) this.node.querySelector(`#${id}`).addEventListener("change", () => this.#aim());
  }

  /** Takes over what the server tells. */
  take(event) {
    this.#state = event;
    this.draw();
  }

  /** Brings switches and banner up to date, for example for another channel. */
  draw() {
    const { on, denied, target, times } = this.#state;
    const channel = this.#world.find(this.#world.channel);
    const missing = denied[this.#world.channel] ?? [];
    const set = (key, name, value) => this.node.querySelector(`[data-${key}="${name}"]`).setAttribute("aria-checked", String(value));
    for (const name of [...answers, ...gateway]) set("fault", name, on.includes(name));
    for (const name of Object.keys(permissions)) set("permission", name, !missing.includes(name));
    if (target) this.node.querySelector("#target").value = target;
    if (on.some((n) => answers.includes(n))) this.node.querySelector("#times").value = String(times);
    this.node.querySelector("#allowed legend").textContent = `Permissions of the bot in ${this.#world.describe(this.#world.channel).label}`;
    this.node.querySelector("#allowed").hidden = channel?.kind !== 0;
    this.#announce(on, denied);
  }

  get count() {
    const { on, denied } = this.#state;
    return on.length + Object.values(denied).flat().length;
  }

  #announce(on, denied) {
    const where = Object.entries(denied).map(([id, list]) => `no ${list.map((n) => permissions[n].toLowerCase()).join(", ")} in ${this.#world.channelName(id) ?? "another channel"}`);
    const list = [...on.map((n) => short[n]), ...where];
    const text = list.length ? `Faults on: ${list.join(" · ")}` : "";
    this.banner.hidden = !text;
    if (this.banner.dataset.text === text) return;
    this.banner.dataset.text = text;
    this.banner.replaceChildren(...(text ? [icon("bolt"), el("span", null, text), heal("Switch all off")] : []));
  }

  #build() {
    const knob = (kind, name, text) => el("button", { type: "button", class: "switch", role: "switch", "aria-checked": "false", [`data-${kind}`]: name }, el("span", null, text), el("span", { class: "knob" }));
    const choice = (id, label, options) => el("label", { class: "aim", for: id }, label, el("select", { id }, ...options.map(([value, text]) => el("option", { value }, text))));
    return el("div", { class: "faults" },
      el("fieldset", null, el("legend", null, "Answers to the bot"), ...answers.map((n) => knob("fault", n, names[n])),
        choice("target", "Which requests", Object.entries(targets)), choice("times", "How many", [["0", "all, until switched off"], ["1", "the next one"], ["3", "the next three"], ["10", "the next ten"]])),
      el("fieldset", null, el("legend", null, "Gateway"), ...gateway.map((n) => knob("fault", n, names[n])),
        el("div", { class: "row" }, ...Object.entries(acts).map(([n, text]) => el("button", { type: "button", class: "button secondary", "data-act": n }, text)))),
      el("fieldset", { id: "allowed" }, el("legend"), ...Object.entries(permissions).map(([n, text]) => knob("permission", n, text))),
      el("p", { class: "small" }, "A message is deleted from its own menu."), heal("Switch all faults off"));
  }

  async #clicked(e) {
    const button = e.target.closest("button");
    if (!button) return;
    const { fault, act, permission } = button.dataset;
    const on = button.getAttribute("aria-checked") !== "true";
    if (fault) await this.#send({ do: "fault", name: fault, on, ...this.#target() });
    else if (permission) await this.#send({ do: "allow", name: permission, on });
    else if (act) await this.#send({ do: "act", name: act }, `${acts[act]}: done.`);
    else if (button.dataset.heal !== undefined) await this.#send({ do: "heal" }, "No faults are on.");
  }

  #target() {
    return { target: this.node.querySelector("#target").value, times: Number(this.node.querySelector("#times").value) };
  }

  // Another aim for the faults that are on.
  async #aim() {
    for (const name of this.#state.on.filter((n) => answers.includes(n))) await this.#send({ do: "fault", name, on: true, ...this.#target() });
  }

  async #send(request, done = "") {
    const { error } = await this.ask(request);
    this.say(error ?? done);
  }
}

function heal(text) {
  return el("button", { type: "button", class: "button secondary", "data-heal": true }, text);
}
