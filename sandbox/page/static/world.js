// Who and what there is, as the reader sees it.

import { word } from "./text.js";

export class World {
  me = "";
  bot = "";
  connected = false;
  people = [];
  places = [];
  channel = ""; // the open one
  unread = new Map(); // channel id to whether the reader was mentioned there
  #channels = new Map();
  #people = new Map();

  /** Takes over what the server tells. */
  take({ me, bot, connected, people, places }) {
    if (me !== this.me) {
      this.unread.clear();
      this.channel = "";
    }
    Object.assign(this, { me, bot, connected, people, places });
    this.#people = new Map(people.map((p) => [p.id, p]));
    this.#channels = new Map(places.flatMap((place) => place.channels.map((c) => [c.id, { ...c, place }])));
  }

  person(id) {
    return this.#people.get(id);
  }

  get locale() {
    return this.person(this.me)?.locale ?? "en-US";
  }

  /** Every channel that the reader sees, with its place and its label. */
  channels() {
    return [...this.#channels.values()].map((c) => ({ ...c, label: this.describe(c.id).label }));
  }

  find(id) {
    return this.#channels.get(id);
  }

  channelName(id) {
    return this.#channels.has(id) ? this.describe(id).label : undefined;
  }

  first() {
    return this.#channels.keys().next().value;
  }

  /** The channel of a key of the address: an id, a name or "dm". */
  lookUp(key) {
    return [...this.#channels.values()].find((c) => c.id === key || this.key(c.id) === key)?.id;
  }

  /** How the address names a channel. */
  key(id) {
    const c = this.#channels.get(id);
    if (!c || c.kind === 3) return id;
    if (c.kind === 1) return "dm";
    const same = [...this.#channels.values()].filter((o) => o.name === c.name && o.kind === c.kind);
    return same.length > 1 ? id : c.name;
  }

  /** The people of the open channel, the bot too. */
  members() {
    return (this.#channels.get(this.channel)?.members ?? []).map((id) => this.person(id)).filter(Boolean);
  }

  /** label names a channel, about says what it is. */
  describe(id) {
    const c = this.#channels.get(id);
    if (!c) return { label: "", about: "" };
    if (c.kind === 0) return { label: `#${c.name}`, about: c.place.name };
    return c.kind === 1 ? { label: `@${c.name}`, about: word("direct") } : { label: c.name, about: word("group") };
  }

  /** What the empty line asks for. */
  invitation() {
    const { label } = this.describe(this.channel);
    return label ? word("invitation", label) : "";
  }
}
