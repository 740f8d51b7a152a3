// The websocket to the stand-in: requests with their answers, events, and coming back after a break.

const unknownPerson = 4004;
const unseen = 200; // ms between looks at the events while the page is in the background

export class Connection {
  #socket = null;
  #user = "";
  #next = 1;
  #waiting = new Map();
  #tries = 0;
  #timer = 0;
  #queue = []; // events that wait for the next frame
  #due = 0;

  /** onEvents gets the events of the server, those of one frame at once, in order; onState gets "connecting", "open", "broken" or "unknown". */
  constructor({ onEvents, onState }) {
    this.onEvents = onEvents;
    this.onState = onState;
  }

  /** Becomes another person (a user's id or name; empty for the first one). */
  start(user) {
    this.#user = user;
    this.#tries = 0;
    this.#connect();
  }

  #connect() {
    clearTimeout(this.#timer);
    this.#drop();
    this.onState("connecting");
    document.addEventListener("visibilitychange", this.#seen);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/page/ws?user=${encodeURIComponent(this.#user)}`);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      if (socket === this.#socket) this.onState("open");
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#take(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.#socket) this.#broken(event.code);
    });
  }

  // What was waiting for a frame when the page went into the background is taken now.
  #seen = () => { if (this.#due) this.#flush(); };

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    this.#queue = [];
    socket?.close();
    for (const answer of this.#waiting.values()) answer({ lost: true, error: "The connection broke. Try again." });
    this.#waiting.clear();
  }

  #broken(code) {
    this.#drop();
    if (code === unknownPerson) {
      this.onState("unknown");
      return;
    }
    this.onState("broken");
    this.#timer = setTimeout(() => this.#connect(), Math.min(5000, 250 * 2 ** this.#tries++));
  }

  #take(message) {
    if (message.t === "result") {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
      return;
    }
    if (message.t === "world") this.#tries = 0;
    this.#queue.push(message);
    if (this.#due) return;
    // Pages in the background get no frames.
    if (document.hidden) this.#due = setTimeout(() => this.#flush(), unseen);
    else this.#due = requestAnimationFrame(() => this.#flush());
  }

  #flush() {
    clearTimeout(this.#due);
    cancelAnimationFrame(this.#due);
    this.#due = 0;
    const events = this.#queue;
    this.#queue = [];
    if (events.length) this.onEvents(events);
  }

  /** Sends something that has no answer. */
  tell(request) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(request));
  }

  /** Asks, and resolves with the result; never rejects: a broken connection comes as a result with an error. */
  ask(request) {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      return Promise.resolve({ lost: true, error: "There is no connection right now." });
    }
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ ...request, id }));
    });
  }
}
