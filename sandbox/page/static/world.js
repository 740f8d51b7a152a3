// Who and what there is, as the reader sees it.

export class World {
  me = "";
  bot = "";
  connected = false;
  people = [];
  places = [];
  channel = ""; // the open one
  unread = new Map(); // channel id to whether the reader was mentioned there

  /** Takes over what the server tells. */
  take({ me, bot, connected, people, places }) {
    if (me !== this.me) {
      this.unread.clear();
      this.channel = "";
    }
    Object.assign(this, { me, bot, connected, people, places });
  }

  person(id) {
    return this.people.find((p) => p.id === id);
  }

  get locale() {
    return this.person(this.me)?.locale ?? "en-US";
  }

  channels() {
    return this.places.flatMap((p) => p.channels).map((c) => ({ ...c, label: this.describe(c.id).label }));
  }

  channelName(id) {
    return this.#channel(id) ? this.describe(id).label : undefined;
  }

  first() {
    return this.places.flatMap((p) => p.channels)[0]?.id;
  }

  /** The channel of a key of the address: an id, a name or "dm". */
  find(key) {
    const all = this.places.flatMap((p) => p.channels);
    return all.find((c) => c.id === key || this.key(c.id) === key)?.id;
  }

  /** How the address names a channel. */
  key(id) {
    const c = this.#channel(id);
    if (!c || c.kind === 3) return id;
    if (c.kind === 1) return "dm";
    const same = this.places.flatMap((p) => p.channels).filter((o) => o.name === c.name && o.kind === c.kind);
    return same.length > 1 ? id : c.name;
  }

  /** The people of the open channel, the bot too. */
  members() {
    return (this.#channel(this.channel)?.members ?? []).map((id) => this.person(id)).filter(Boolean);
  }

  describe(id) {
    const c = this.#channel(id);
    if (!c) return { label: "", about: "" };
    const place = this.places.find((p) => p.channels.includes(c));
    if (c.kind === 0) return { label: `#${c.name}`, about: place.name };
    return c.kind === 1 ? { label: `@${c.name}`, about: "Your direct messages with the bot" } : { label: c.name, about: "A private group without the bot" };
  }

  /** What the empty line asks for. */
  invitation() {
    const { label } = this.describe(this.channel);
    return label ? `Message ${label}, or / for commands` : "";
  }

  #channel(id) {
    for (const p of this.places) for (const c of p.channels) if (c.id === id) return c;
    return undefined;
  }
}
