// The websocket to the stand-in: requests with their answers, events, and coming back after a break.

const unknownPerson = 4004;

export class Connection {
  #socket = null;
  #user = "";
  #next = 1;
  #waiting = new Map();
  #tries = 0;
  #timer = 0;

  /** onEvent gets every event of the server; onState gets "connecting", "open", "broken" or "unknown". */
  constructor({ onEvent, onState }) {
    this.onEvent = onEvent;
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

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
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
    this.onEvent(message);
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
