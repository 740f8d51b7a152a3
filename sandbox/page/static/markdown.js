// The markdown of chat messages, as a fragment of the document. What it does not know it shows as it was typed.

import { el } from "./dom.js";
import { emojis } from "./emoji.js";
import { timeElement } from "./time.js";

const fence = /^```(?:([\w+-]*)\n)?\n?([\s\S]*?)\n?```/;

/** Renders text; world knows people, channels and the reader's language. */
export function markdown(text, world) {
  const out = document.createDocumentFragment();
  let plain = "";
  const flush = () => {
    if (plain.trim() !== "") blocks(plain.replace(/^\n|\n$/g, ""), world, out);
    plain = "";
  };
  for (let i = 0; i < text.length; ) {
    const code = text.startsWith("```", i) && fence.exec(text.slice(i));
    if (code) {
      flush();
      out.append(el("pre", { tabindex: "0", role: "group", "aria-label": "Board or code" }, el("code", { "data-language": code[1] || null }, ...(code[1] === "ansi" ? coloured(code[2]) : [code[2]]))));
      i += code[0].length;
      continue;
    }
    const step = text[i] === "\\" && i + 1 < text.length ? 2 : 1;
    plain += text.slice(i, i + step);
    i += step;
  }
  flush();
  return out;
}

// Code of the kind "ansi" carries colours as escape sequences.
function coloured(code) {
  const parts = [];
  let style = [];
  for (const piece of code.split(/(\u001b\[[\d;]*m)/)) {
    const escape = /^\u001b\[([\d;]*)m$/.exec(piece);
    if (escape) {
      for (const n of escape[1].split(";").map(Number)) style = n === 0 ? [] : [...style, `ansi-${n}`];
    } else if (piece) {
      parts.push(style.length ? el("span", { class: style.join(" ") }, piece) : piece);
    }
  }
  return parts;
}

// Lines: headings, small print, lists, quotes, paragraphs.
function blocks(text, world, out) {
  let list = null;
  let quote = null;
  let paragraph = null;
  for (const line of text.split("\n")) {
    const heading = /^(#{1,3}) +(.+)$/.exec(line);
    const small = /^-# +(.+)$/.exec(line);
    const item = /^(\s*)(?:([-*])|(\d+)\.) +(.*)$/.exec(line);
    const quoted = /^> ?(.*)$/.exec(line);
    if (!item) list = null;
    if (!quoted) quote = null;
    if (heading || small || item || quoted) paragraph = null;
    if (heading) {
      out.append(el("p", { class: `h${heading[1].length}`, role: "heading", "aria-level": heading[1].length + 2 }, ...inline(heading[2], world)));
    } else if (small) {
      out.append(el("p", { class: "small" }, ...inline(small[1], world)));
    } else if (item) {
      const kind = item[3] ? "ol" : "ul";
      if (list?.localName !== kind) out.append((list = el(kind, { start: item[3] })));
      list.append(el("li", null, ...inline(item[4], world)));
    } else if (quoted) {
      if (!quote) out.append((quote = el("blockquote")));
      else quote.append(el("br"));
      quote.append(...inline(quoted[1], world));
    } else {
      if (!paragraph) out.append((paragraph = el("p")));
      else paragraph.append(el("br"));
      paragraph.append(...inline(line, world));
    }
  }
}

// The kinds of things within a line. The first that matches at a place wins.
const kinds = [
  [/^\\([!-/:-@[-`{-~])/, (m) => m[1]],
  [/^(`+)([\s\S]*?[^`])\1(?!`)/, (m) => el("code", null, m[2].trim() || m[2])],
  [/^\*\*\*([\s\S]+?)\*\*\*(?!\*)/, (m, w) => el("strong", null, el("em", null, ...inline(m[1], w)))],
  [/^\*\*((?:\\.|[^\\])+?)\*\*(?!\*)/, (m, w) => el("strong", null, ...inline(m[1], w))],
  [/^__((?:\\.|[^\\])+?)__(?!_)/, (m, w) => el("u", null, ...inline(m[1], w))],
  [/^~~((?:\\.|[^\\])+?)~~/, (m, w) => el("s", null, ...inline(m[1], w))],
  [/^\|\|((?:\\.|[^\\])+?)\|\|/, (m, w) => el("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Hidden text" }, el("span", null, ...inline(m[1], w)))],
  [/^\*(?!\s)((?:\\.|\*\*|[^\\*])+?)\*(?!\*)/, (m, w) => el("em", null, ...inline(m[1], w))],
  [/^_(?!\s)((?:\\.|__|[^\\_])+?)_(?![\p{L}\p{N}_])/u, (m, w) => el("em", null, ...inline(m[1], w))],
  [/^\[((?:\\.|[^\]\\])+)\]\(<?(https?:\/\/[^\s<>)]+)>?(?: +"[^"]*")?\)/, (m, w) => link(m[2], inline(m[1], w), w)],
  [/^<(https?:\/\/[^\s<>]+)>/, (m, w) => link(m[1], null, w)],
  [/^https?:\/\/[^\s<>]*[^\s<>.,:;!?"')\]]/, (m, w) => link(m[0], null, w)],
  [/^<@!?(\d+)>/, (m, w) => mention(m[1], w)],
  [/^<#(\d+)>/, (m, w) => channel(m[1], w)],
  [/^<\/([^:>]{1,100}):(\d+)>/, (m) => el("button", { type: "button", class: "mention", "data-command": m[1] }, `/${m[1]}`)],
  [/^<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/, (m, w) => timeElement(Number(m[1]), m[2] ?? "f", w.locale)],
  [/^<a?:(\w+):\d+>/, (m) => `:${m[1]}:`],
  [/^@(?:everyone|here)\b/, (m) => el("span", { class: "mention" }, m[0])],
];

const special = /[\\`*_~|[<@h]/;

function inline(text, world) {
  const out = [];
  let plain = "";
  const flush = () => {
    if (plain) out.push(...emojis(plain));
    plain = "";
  };
  for (let i = 0; i < text.length; ) {
    const found = special.test(text[i]) && match(text, i, world);
    if (!found) {
      plain += text[i++];
      continue;
    }
    if (typeof found.node === "string") plain += found.node;
    else {
      flush();
      out.push(found.node);
    }
    i += found.length;
  }
  flush();
  return out;
}

function match(text, at, world) {
  const inWord = at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1]);
  if (inWord && (text[at] === "_" || text[at] === "h")) return null;
  const rest = text.slice(at);
  for (const [pattern, make] of kinds) {
    const m = pattern.exec(rest);
    if (m) return { node: make(m, world), length: m[0].length };
  }
  return null;
}

const messageLink = /^https?:\/\/[\w.:-]+\/channels\/(@me|\d+)\/(\d+)(?:\/(\d+))?$/;

function link(url, label, world) {
  const m = messageLink.exec(url);
  if (!m) {
    return el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, ...(label ?? [url]));
  }
  const name = world.channelName(m[2]);
  const text = label ?? [name ? `${name} › message` : "message"];
  return el("a", { href: location.hash || "#", class: label ? null : "mention", "data-jump-channel": m[2], "data-jump-message": m[3] }, ...text);
}

function mention(id, world) {
  const person = world.person(id);
  const mine = id === world.me;
  return el("span", { class: mine ? "mention me" : "mention" }, person ? `@${person.name}` : "@unknown-user");
}

function channel(id, world) {
  const name = world.channelName(id);
  return el("a", { href: location.hash || "#", class: "mention", "data-jump-channel": id }, name ?? "#unknown");
}
