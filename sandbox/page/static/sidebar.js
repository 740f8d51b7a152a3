// What stands beside the messages: servers, channels, the reader, members.

import { avatar, el, icon } from "./dom.js";
import { word } from "./text.js";

const $ = (id) => document.getElementById(id);

/** The address of a channel for the reader; two windows can be two people. */
export function address(world, channel, you = world.person(world.me).username) {
  return `#${new URLSearchParams({ you, channel: world.key(channel) })}`;
}

// Puts new children into a node without losing the focus of the one that is called the same.
function redraw(node, key, kids) {
  const focused = node.contains(document.activeElement) ? document.activeElement.dataset[key] : undefined;
  node.replaceChildren(...kids);
  if (focused) node.querySelector(`[data-${key}="${CSS.escape(focused)}"]`)?.focus();
}

function unreadOf(world, channels) {
  const list = channels.filter((c) => world.unread.has(c.id));
  return { unread: list.length > 0, pings: list.filter((c) => world.unread.get(c.id)).length };
}

function place(world, p) {
  const { unread, pings } = unreadOf(world, p.channels);
  const own = p.id === "@me";
  const here = p.channels.some((c) => c.id === world.channel);
  const target = here ? world.channel : p.channels[0]?.id;
  if (!target) return null;
  const name = own ? word("direct") : p.name;
  const initials = p.name.split(/\s+/).map((w) => [...w][0]).join("").slice(0, 3);
  return el("a", {
    href: address(world, target), "data-place": p.id, class: unread ? "unread" : null, "aria-current": here ? "true" : null,
    "aria-label": pings ? `${name}, ${word("pinged")}` : name, title: name,
  }, own ? el("img", { src: "/static/icon.svg", alt: "" }) : initials, pings > 0 && el("span", { class: "count" }, String(pings)));
}

/** Draws the servers, private channels first. */
export function drawRail(world) {
  const own = world.places.filter((p) => p.id === "@me");
  const rest = world.places.filter((p) => p.id !== "@me");
  redraw($("rail"), "place", [...own.map((p) => place(world, p)), el("hr"), ...rest.map((p) => place(world, p))].filter(Boolean));
}

function channel(world, c) {
  const unread = world.unread.has(c.id);
  const pinged = world.unread.get(c.id);
  const sign = c.kind === 0 ? icon("hash") : avatar(world.person(c.kind === 1 ? world.bot : c.members.find((m) => m !== world.me)), world.bot);
  return el("li", null, el("a", {
    href: address(world, c.id), class: unread ? "unread" : null, "data-channel": c.id, "aria-current": c.id === world.channel ? "page" : null,
  }, sign, el("span", { class: "name" }, c.name), unread && el("span", { class: pinged ? "count" : "unseen" }, word(pinged ? "pinged" : "news"))));
}

/** Draws the channels of the open place. */
export function drawChannels(world) {
  const here = world.find(world.channel)?.place ?? world.places[0];
  const own = here.id === "@me";
  $("place").textContent = own ? word("direct") : here.name;
  redraw($("channels"), "channel", [
    el("h3", null, word(own ? "direct" : "textChannels")), el("ul", null, ...here.channels.map((c) => channel(world, c))),
  ]);
}

/** Draws who the reader is. */
export function drawSelf(world) {
  const me = world.person(world.me);
  $("face").replaceChildren(avatar(me, world.bot));
  $("you").replaceChildren(...world.people.filter((p) => !p.bot).map((p) => el("option", { value: p.username, selected: p.id === world.me }, p.name)));
  $("speaks").textContent = languageName(me.locale, me.locale);
}

/** The name of a language in a language; its code where the browser knows none. */
export function languageName(code, inLocale) {
  try {
    return new Intl.DisplayNames([inLocale], { type: "language" }).of(code);
  } catch {
    return code;
  }
}

function member(world, p) {
  const away = p.id === world.bot && !world.connected;
  return el("li", null, el("button", { type: "button", "data-user": p.id, class: away ? "away" : null, "aria-haspopup": "menu" },
    el("span", { class: "stand" }, avatar(p, world.bot), el("span", { class: "dot" })), el("span", { class: "name" }, p.name),
    p.bot && el("span", { class: "badge" }, "APP"), away && el("span", { class: "unseen" }, word("offline"))));
}

/** Draws the people of the open channel, apps first. */
export function drawMembers(world) {
  const all = world.members();
  const kids = [[word("apps"), all.filter((p) => p.bot)], [word("people"), all.filter((p) => !p.bot)]].flatMap(([title, list]) => (list.length ? [
    el("h3", null, `${title} — ${list.length}`), el("ul", null, ...list.map((p) => member(world, p))),
  ] : []));
  redraw($("members"), "user", kids);
}

/** Draws whether the bot is there. */
export function drawBot(world) {
  const name = world.person(world.bot)?.name ?? "Rowbot";
  $("bot").replaceChildren(el("span", { class: "wide" }, `${name}: `), word(world.connected ? "online" : "offline"));
  $("bot").className = world.connected ? "online" : "offline";
}
