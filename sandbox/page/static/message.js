// How one message looks.

import { body } from "./components.js";
import { avatar, el, icon } from "./dom.js";
import { emojis } from "./emoji.js";
import { markdown } from "./markdown.js";
import { parts, word } from "./text.js";
import { clock, shortTime } from "./time.js";

const together = 7 * 60000; // ms within which messages of one author stand together

/** Tells whether a message goes on below the one before it, without a head of its own. */
export function follows(info, before) {
  if (!before || info.command || info.reply || info.message.type !== 0) return false;
  const [m, b] = [info.message, before.message];
  return m.author.id === b.author.id && info.viewer === before.viewer && new Date(m.timestamp) - new Date(b.timestamp) < together;
}

/** The name of a message's author, as the reader knows them. */
export function authorName(m, world) {
  return world.person(m.author.id)?.name ?? m.author.global_name ?? m.author.username;
}

/** A message as an element. problem is what went wrong with it; waiting: it has a click that is not answered yet. */
export function draw(info, world, { joined, problem, waiting }) {
  const { message: m, viewer } = info;
  const name = authorName(m, world);
  const pinged = m.author.id !== world.me && (info.all || info.pings.includes(world.me));
  const classes = ["message", joined && "joined", pinged && "pinged", viewer && "private", waiting && "waiting"].filter(Boolean).join(" ");
  return el("article", {
    class: classes, "data-message": m.id, "data-id": m.id, "data-author": m.author.id, "data-viewer": viewer, tabindex: "-1",
    "aria-label": `${name}, ${shortTime(m.timestamp, world.locale)}`,
  }, origin(info, world), joined ? el("span", { class: "when" }, clock(m.timestamp, world.locale, true)) : face(m, world),
  el("div", { class: "frame" }, !joined && head(m, name, world), body(m, world), viewer && only(),
    el("p", { class: "failed", role: "alert", "data-problem": true, hidden: !problem }, icon("warn"), el("span", null, problem ?? ""))));
}

function face(m, world) {
  const person = world.person(m.author.id) ?? { id: m.author.id, name: m.author.username };
  return el("span", { class: "face", "data-user": m.author.id }, avatar(person, world.bot));
}

function head(m, name, world) {
  const edited = m.edited_timestamp && !(m.flags & 128) && el("span", { class: "edited" }, word("edited"));
  return el("header", null, el("button", { type: "button", class: "author", "data-user": m.author.id, "aria-haspopup": "menu" }, name),
    m.author.bot && el("span", { class: "badge" }, "APP"), clock(m.timestamp, world.locale), edited);
}

function only() {
  return el("p", { class: "only" }, icon("eye"), el("span", null, word("onlyYou")), " · ", el("button", { type: "button", class: "plain", "data-dismiss": true }, word("dismiss")));
}

/** The buttons that stand beside the message that the pointer or the focus is on; there is one set for all. */
export function drawTools() {
  const tool = (key, name, sign) => el("button", { type: "button", class: "tool", "data-tool": key, "aria-label": name, title: name }, icon(sign));
  return el("div", { class: "tools", "data-kept": true }, tool("reply", word("reply"), "reply"), tool("copy-link", word("copyLink"), "link"), tool("more", word("apps"), "more"));
}

// The line above: which command made the message, or what it answers.
function origin(info, world) {
  if (info.command) return used(world.person(info.user), info, world);
  if (!info.reply) return null;
  const { id, author, text } = info.reply;
  const person = world.person(author);
  const line = author
    ? [avatar(person, world.bot), el("span", { class: "who" }, `@${person?.name ?? "?"}`),
      el("a", { href: location.hash || "#", class: "quote", "data-jump-channel": info.message.channel_id, "data-jump-message": id }, ...emojis(preview(text, world)))]
    : [el("i", null, word("gone"))];
  return el("p", { class: "origin" }, ...line);
}

function used(person, info, world) {
  const who = el("button", { type: "button", class: "who", "data-user": person?.id, "aria-haspopup": "menu" }, person?.name ?? "?");
  const type = info.message.interaction_metadata?.type;
  const name = info.message.type === 23 ? info.command : `/${info.command}`;
  return el("p", { class: "origin", "data-interaction": type }, avatar(person, world.bot), el("span", null, ...parts("used", who,
    info.message.type === 23 ? el("span", { class: "mention" }, name) : el("button", { type: "button", class: "mention", "data-command": info.command }, name))));
}

// One line of a text, without its markup.
function preview(text, world) {
  return el("span", null, markdown(text.replace(/```[\s\S]*?(```|$)/g, "…"), world)).textContent.replace(/\s+/g, " ").trim() || "…";
}

/** What is no message of the channel: a command that is on its way, or got no answer. */
export function drawNote(world, name, text, failed) {
  const me = world.person(world.me);
  const bot = world.person(world.bot);
  const node = el("article", { class: "message private", "data-note": failed ? "failed" : "sending", tabindex: "-1", "aria-label": `${bot.name}: ${text}` },
    el("p", { class: "origin" }, avatar(me, world.bot), el("span", null, ...parts("used", el("span", { class: "who" }, me.name), el("span", { class: "mention" }, name)))),
    el("span", { class: "face" }, avatar(bot, world.bot)),
    el("div", { class: "frame" }, el("header", null, el("span", { class: "author" }, bot.name), el("span", { class: "badge" }, "APP")),
      failed ? el("p", { class: "failed", role: "alert" }, icon("warn"), el("span", null, text))
        : el("p", { class: "thinking" }, el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i")), text),
      failed && only()));
  return node;
}
