// Puts the page together: who the reader is, which channel is open, and what goes where.

import { linkTo, messageMenu, personMenu } from "./actions.js";
import { Composer } from "./composer.js";
import { Connection } from "./connection.js";
import { openForm } from "./dialog.js";
import { icon } from "./dom.js";
import { Faults } from "./faults.js";
import { Frame } from "./frame.js";
import { closeMenu, onMenu, openMenu } from "./menu.js";
import { Messages } from "./messages.js";
import { Panel } from "./panel.js";
import { closePicker } from "./picker.js";
import { openSettings, showLooks, togglePhone } from "./settings.js";
import { address, drawBot, drawChannels, drawMembers, drawRail, drawSelf } from "./sidebar.js";
import { speak, word } from "./text.js";
import { refreshTimes } from "./time.js";
import { World } from "./world.js";

const $ = (id) => document.getElementById(id);
const world = new World();
let closeForm = null;
let wanted = null; // a message to jump to once its channel is there
let shownFor = ""; // whom and what the list of messages was drawn for
let spokenFor = ""; // the language the page was drawn in
let fresh = true; // the connection is new: the server does not know yet which channel is open

const connection = new Connection({ onEvents: take, onState: showState });
const ask = (request) => connection.ask({ channel: world.channel, ...request });

const messages = new Messages($("messages"), $("present"), world, { act: interact, ask, say, tool: useTool });
const composer = new Composer({
  form: $("composer"), entry: $("entry"), chips: $("chips"), current: $("current"), list: $("suggestions"), hint: $("hint"), slash: $("slash"), answering: $("answering"),
}, world, { autocomplete: ask, send: interact, say });
const faults = new Faults(world, $("faults"), { ask, say });
const frame = new Frame({ drawer: $("drawer"), members: $("members"), panel: $("panel"), main: document.querySelector("main") }, listen);
const panel = new Panel($("panel"), faults, { ask, close: () => frame.close("panel") });

function say(text) {
  if ($("status").textContent !== text) $("status").textContent = text;
}

// Anything the reader does that the bot answers. name says what, for commands.
async function interact(request, name) {
  if (name || request.do === "say") messages.follow();
  const done = name ? messages.sending(name) : null;
  const result = await ask(request);
  done?.(result.failed ? word("silent") : "");
  if (result.modal) showForm(result.modal, request.channel ?? world.channel);
  return result;
}

function showForm(form, channel) {
  closeForm?.();
  closeForm = openForm(form, world, {
    submit: (fields, files) => interact({ do: "submit", channel, modal: form.id, fields, files }),
    cancel: () => connection.tell({ do: "cancel", channel, modal: form.id }),
  });
}

// Events of the server. Of several states of one message the last is drawn.
function take(events) {
  const last = new Map();
  events.forEach((e, i) => { if (e.t === "message") last.set(e.message.message.id, i); });
  let beside = false;
  events.forEach((e, i) => {
    if (e.t === "message") {
      if (last.get(e.message.message.id) === i) takeMessage(e);
    } else if (e.t === "news") {
      world.unread.set(e.channel, (world.unread.get(e.channel) ?? false) || e.pinged);
      beside = true;
    } else takeOther(e);
  });
  if (beside) drawPlaces();
}

function takeOther(event) {
  switch (event.t) {
    case "world": return takeWorld(event);
    case "view": return takeView(event);
    case "deleted": return event.channel === world.channel && takeAway(event.id);
    case "commands": return event.channel === world.channel && composer.offer(event.commands);
    case "faults":
      faults.take(event);
      return markFaults();
    case "traffic": return panel.take(event);
    case "bot":
      world.connected = event.connected;
      drawBot(world);
      return drawMembers(world);
  }
}

function takeWorld(event) {
  const before = world.me;
  world.take(event);
  speak(world.locale);
  document.documentElement.lang = world.locale;
  drawSelf(world);
  drawBot(world);
  drawPlaces();
  if (!fresh && before === world.me && world.find(world.channel)) {
    if (spokenFor !== world.locale) messages.redraw();
    drawMembers(world);
    composer.invite();
  } else open(world.lookUp(fragment().get("channel")) || world.first());
  spokenFor = world.locale;
  fresh = false;
}

function drawPlaces() {
  drawRail(world);
  drawChannels(world);
}

// Opens a channel; its messages come as a view.
function open(id) {
  if (id) connection.tell({ do: "open", channel: id });
}

function takeView(event) {
  const wish = world.lookUp(fragment().get("channel"));
  if (wish && wish !== event.channel) return; // the one that was asked for is on its way
  const key = `${world.me} ${event.channel}`;
  const same = key === shownFor;
  shownFor = key;
  world.channel = event.channel;
  world.unread.delete(event.channel);
  if (!same) composer.clear();
  messages.show(event, same);
  composer.offer(event.commands);
  composer.invite();
  history.replaceState(null, "", address(world, world.channel));
  drawPlaces();
  drawMembers(world);
  faults.draw();
  const { label, about } = world.describe(event.channel);
  $("title").replaceChildren(icon(label.startsWith("#") ? "hash" : "at"), label.replace(/^[#@]/, ""));
  $("title").setAttribute("aria-label", label);
  $("about").textContent = about;
  $("welcome").textContent = label;
  document.title = `${label} · Rowbot sandbox`;
  $("nothing").hidden = event.messages.length > 0;
  if (wanted?.channel === event.channel) jump(wanted.channel, wanted.message);
}

function takeMessage({ channel, new: isNew, message: info }) {
  if (channel !== world.channel) return;
  messages.put(info);
  $("nothing").hidden = true;
  if (isNew && isMine(info)) messages.follow();
  if (isNew && info.message.author.id !== world.me) $("news").textContent = messages.summary(info.message.id);
}

// Whether a message comes of what the reader has done: written by them, for them alone, or an answer to them.
function isMine({ message, viewer }) {
  return message.author.id === world.me || viewer === world.me || message.interaction_metadata?.user?.id === world.me;
}

function takeAway(id) {
  messages.remove(id);
  $("nothing").hidden = messages.size > 0;
}

async function jump(channel, message) {
  wanted = null;
  if (channel !== world.channel) {
    if (!world.find(channel)) return say("You cannot see that channel.");
    wanted = message ? { channel, message } : null;
    go(channel);
  } else if (message && !(await messages.jump(message))) {
    say("That message is not here any more.");
  }
}

// The address after # says who the reader is and where: two windows can be two people.
function fragment() {
  return new URLSearchParams(location.hash.slice(1));
}

function go(channel) {
  history.pushState(null, "", address(world, channel));
  open(channel);
}

function become(name, channel = fragment().get("channel")) {
  const f = new URLSearchParams({ you: name });
  if (channel) f.set("channel", channel);
  history.replaceState(null, "", `#${f}`);
  closeForm?.();
  say("");
  connection.start(name);
}

// Another window with somebody else in it, in the same channel.
const openWindow = (name) => window.open(address(world, world.channel, name), "_blank", "noopener");

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${text.slice(0, 80)}`);
  } catch {
    say(text); // no clipboard here: at least it can be read
  }
}

const can = {
  call: async (request, name) => {
    const { error } = await interact(request, name);
    say(error ?? "");
  },
  mention: (id) => composer.insert(`<@${id}> `),
  reply: (info) => composer.answer(info),
  remove: async (id) => say((await ask({ do: "delete", message: id })).error ?? ""),
  become, copy, window: openWindow,
  speak: (name) => ask({ do: "locale", name }),
};

function useTool(key, info, button) {
  if (key === "reply") return info.viewer || composer.answer(info);
  if (key === "copy-link") return copy(linkTo(info.message, world.find(info.message.channel_id)));
  const r = button.getBoundingClientRect();
  openMenu(messageMenu(info, world, composer.commands, can), { x: r.left, y: r.bottom, label: word("apps"), opener: button });
}

// The menu of a person or of a message; false where there is none.
function showMenu(target, point) {
  if (target.closest("input, textarea, a, dialog, .menu-box") || String(getSelection())) return false;
  const person = world.person(target.closest("[data-user]")?.dataset.user);
  const node = target.closest("[data-message]");
  const info = messages.info(node?.dataset.message);
  if (!person && !info) return false;
  const opener = target.closest("button, [tabindex]") ?? node;
  const items = person ? personMenu(person, world, composer.commands, can) : messageMenu(info, world, composer.commands, can);
  openMenu(items, { ...point, opener, label: person?.name ?? node.getAttribute("aria-label") });
  return true;
}

function listen(on) {
  connection.tell({ do: "listen", on });
  if (on) panel.reset();
}

function markFaults() {
  const button = document.querySelector(".bar [data-toggle=panel]");
  button.classList.toggle("alarmed", faults.count > 0);
  button.title = faults.count ? "Traffic and faults (faults are on)" : "Traffic and faults";
  button.setAttribute("aria-label", faults.count ? `Traffic and faults: ${faults.count} on` : "Traffic and faults");
}

function showState(state) {
  if (state === "open") fresh = true;
  if (state === "unknown") return become("");
  if (state === "open" && !$("panel").hidden) listen(true);
  $("broken").hidden = state !== "broken";
  document.body.classList.toggle("cut", state === "broken");
}

const toggles = {
  phone: togglePhone, channels: () => frame.toggle("channels"), members: () => frame.toggle("members"), panel: () => frame.toggle("panel"),
  settings: (button) => openSettings(world, button, can),
};

function clicked(e) {
  const at = (selector) => e.target.closest(selector);
  const link = at("[data-jump-channel]");
  const toggle = at("[data-toggle]");
  if (link) {
    e.preventDefault();
    jump(link.dataset.jumpChannel, link.dataset.jumpMessage);
  } else if (toggle) toggles[toggle.dataset.toggle](toggle);
  else if (at("[data-command]")) composer.begin(at("[data-command]").dataset.command);
  else if (at("[data-skip]")) $(at("[data-skip]").dataset.skip).focus();
  else if (at("[data-channel], [role=menuitem]:not([aria-haspopup])")) frame.chosen();
  else if (at("[data-user]")) {
    const r = at("[data-user]").getBoundingClientRect();
    if (showMenu(e.target, { x: r.left, y: r.bottom + 4 })) e.preventDefault();
  }
}

for (const [name, sign] of Object.entries({ channels: "menu", phone: "phone", panel: "pulse", members: "group", settings: "gear" })) {
  for (const button of document.querySelectorAll(`[data-toggle=${name}]`)) {
    button.append(icon(sign));
    button.title = button.getAttribute("aria-label");
  }
}
document.querySelector(".send").append(icon("send"));
$("you").addEventListener("change", (e) => become(e.target.value));
addEventListener("hashchange", () => {
  const f = fragment();
  const me = world.person(world.me);
  closeMenu();
  closePicker();
  if (!me || (f.get("you") && f.get("you") !== me.username)) become(f.get("you") ?? "", f.get("channel"));
  else open(world.lookUp(f.get("channel")));
});
document.documentElement.addEventListener("viewchange", showLooks);
document.addEventListener("click", clicked);
onMenu(showMenu);
$("messages").addEventListener("keydown", (e) => {
  if (e.key !== "Enter" || !e.target.matches("[data-message]")) return;
  const r = e.target.getBoundingClientRect();
  if (showMenu(e.target, { x: r.left + 60, y: Math.max(r.top + 20, 60) })) e.preventDefault();
});
showLooks();
setInterval(() => refreshTimes(world.locale), 5000);

connection.start(fragment().get("you") ?? "");
