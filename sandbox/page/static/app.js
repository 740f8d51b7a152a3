// Puts the page together: who the reader is, which channel is open, and what goes where.

import { Composer } from "./composer.js";
import { Connection } from "./connection.js";
import { openForm } from "./dialog.js";
import { el } from "./dom.js";
import { Messages } from "./messages.js";
import { refreshTimes } from "./time.js";
import { World } from "./world.js";

const $ = (id) => document.getElementById(id);
const world = new World();
let closeForm = null;
let wanted = null; // a message to jump to once its channel is there
let shownFor = ""; // whom and what the list of messages was drawn for

const connection = new Connection({ onEvent: take, onState: showState });
const ask = (request) => connection.ask({ channel: world.channel, ...request });

const messages = new Messages($("messages"), world, { act: interact, say });
const composer = new Composer({
  form: $("composer"), entry: $("entry"), chips: $("chips"), current: $("current"), list: $("suggestions"), hint: $("hint"),
}, world, { autocomplete: ask, send: interact, say });

function say(text) {
  if ($("status").textContent !== text) $("status").textContent = text;
}

// Anything the reader does that the bot answers.
async function interact(request, name) {
  const result = await ask(request);
  if (result.failed) {
    say("This interaction failed.");
    if (name) messages.note(`${name}: the application did not respond`);
  }
  if (result.modal) showForm(result.modal, request.channel ?? world.channel);
  return result;
}

function showForm(form, channel) {
  closeForm?.();
  closeForm = openForm(form, world, {
    submit: (fields) => interact({ do: "submit", channel, modal: form.id, fields }),
    cancel: () => connection.tell({ do: "cancel", channel, modal: form.id }),
  });
}

// Events of the server.
function take(event) {
  switch (event.t) {
    case "world": return takeWorld(event);
    case "view": return takeView(event);
    case "message": return takeMessage(event);
    case "deleted":
      if (event.channel === world.channel) messages.remove(event.id);
      return;
    case "failed": return say("This interaction failed.");
    case "commands":
      if (event.channel === world.channel) composer.offer(event.commands);
      return;
    case "bot":
      world.connected = event.connected;
      return showBot();
  }
}

function takeWorld(event) {
  world.take(event);
  $("you").replaceChildren(...world.people.filter((p) => !p.bot).map((p) => el("option", { value: p.username, selected: p.id === world.me }, p.name)));
  drawChannels();
  showBot();
  open(world.find(fragment().get("channel")) || world.channel || world.first());
}

// Opens a channel; its messages come as a view.
function open(id) {
  if (!id) return;
  connection.tell({ do: "open", channel: id });
}

function takeView(event) {
  const wish = world.find(fragment().get("channel"));
  if (wish && wish !== event.channel) return; // the one that was asked for is on its way
  const key = `${world.me} ${event.channel}`;
  const same = key === shownFor;
  shownFor = key;
  world.channel = event.channel;
  world.unread.delete(event.channel);
  if (!same) composer.clear();
  messages.show(event.messages, same);
  if (same) messages.redraw();
  composer.offer(event.commands);
  composer.invite();
  note();
  drawChannels();
  const { label, about } = world.describe(event.channel);
  $("title").textContent = label;
  $("about").textContent = about;
  document.title = `${label} · Rowbot sandbox`;
  $("nothing").hidden = event.messages.length > 0;
  if (wanted?.channel === event.channel) jump(wanted.channel, wanted.message);
}

function takeMessage({ channel, new: isNew, message: info }) {
  if (channel !== world.channel) {
    if (isNew && info.message.author.id !== world.me) {
      world.unread.set(channel, (world.unread.get(channel) ?? false) || info.pings.includes(world.me));
      drawChannels();
    }
    return;
  }
  messages.put(info);
  $("nothing").hidden = true;
  if (isNew && info.message.author.id !== world.me) {
    $("news").textContent = `${info.message.author.username}: ${messages.summary(info.message.id)}`;
  }
}

function jump(channel, message) {
  wanted = null;
  if (channel !== world.channel) {
    if (!world.find(channel)) return say("You cannot see that channel.");
    wanted = message ? { channel, message } : null;
    go(channel);
  } else if (message && !messages.jump(message)) {
    say("That message is not here any more.");
  }
}

// The address after # says who the reader is and where: two windows can be two people.
function fragment() {
  return new URLSearchParams(location.hash.slice(1));
}

function note() {
  const f = new URLSearchParams({ you: world.person(world.me).username, channel: world.key(world.channel) });
  history.replaceState(null, "", `#${f}`);
}

function go(channel) {
  const f = new URLSearchParams({ you: world.person(world.me).username, channel: world.key(channel) });
  history.pushState(null, "", `#${f}`);
  open(channel);
}

function become(name, channel) {
  const f = new URLSearchParams({ you: name });
  if (channel) f.set("channel", channel);
  history.replaceState(null, "", `#${f}`);
  closeForm?.();
  say("");
  connection.start(name);
}

function drawChannels() {
  const kids = world.places.flatMap((place) => [
    el("h2", null, place.name),
    el("ul", null, ...place.channels.map((c) => {
      const unread = world.unread.has(c.id);
      const pinged = world.unread.get(c.id);
      return el("li", null, el("a", {
        href: `#${new URLSearchParams({ you: world.person(world.me).username, channel: world.key(c.id) })}`,
        class: unread ? "unread" : null, "data-channel": c.id, "aria-current": c.id === world.channel ? "page" : null,
      }, world.describe(c.id).label, unread && el("span", { class: pinged ? "mark pinged" : "mark" }, pinged ? "mentioned" : "new")));
    })),
  ]);
  const focused = document.activeElement?.dataset?.channel;
  $("channels").replaceChildren(...kids);
  if (focused) $("channels").querySelector(`[data-channel="${focused}"]`)?.focus();
}

function showBot() {
  $("bot").replaceChildren(el("span", { class: "wide" }, "Rowbot is "), world.connected ? "online" : "offline");
  $("bot").className = world.connected ? "online" : "offline";
}

function showState(state) {
  if (state === "unknown") return become("", fragment().get("channel"));
  $("broken").hidden = state !== "broken";
  document.body.classList.toggle("cut", state === "broken");
}

$("you").addEventListener("change", (e) => become(e.target.value, fragment().get("channel")));
addEventListener("hashchange", () => {
  const f = fragment();
  const me = world.person(world.me);
  if (!me || (f.get("you") && f.get("you") !== me.username)) become(f.get("you") ?? "", f.get("channel"));
  else open(world.find(f.get("channel")));
});
document.addEventListener("click", (e) => {
  const link = e.target.closest("[data-jump-channel]");
  const command = e.target.closest("[data-command]");
  if (link) {
    e.preventDefault();
    jump(link.dataset.jumpChannel, link.dataset.jumpMessage);
  } else if (command) {
    composer.begin(command.dataset.command);
  }
});
setInterval(() => refreshTimes(world.locale), 5000);

connection.start(fragment().get("you") ?? "");
