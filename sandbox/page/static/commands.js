// What can be typed: suggestions for commands and for the values of their options.

import { avatar, icon } from "./dom.js";

/** The commands that fit what was typed after the slash, those that begin with it first. */
export function matchCommands(list, typed) {
  const query = typed.trim().toLowerCase();
  const starts = list.filter((c) => c.name.startsWith(query) || c.shown.startsWith(query));
  const words = query.split(/\s+/);
  const holds = list.filter((c) => !starts.includes(c) && words.every((w) => c.name.includes(w) || c.shown.includes(w)));
  return [...starts, ...holds];
}

const kinds = { 3: "text", 4: "a whole number", 5: "true or false", 6: "somebody", 7: "a channel", 8: "a role", 9: "somebody", 10: "a number", 11: "a file" };

/** What an option wants, in words. */
export function wants(option) {
  if (option.choices?.length) return "one of the list";
  const { min_value: low, max_value: high } = option;
  if (low !== undefined && high !== undefined) return `${low} to ${high}`;
  return kinds[option.type] ?? "a value";
}

/** What is wrong with a text for an option; empty when nothing is that the client can see. */
export function wrong(option, text) {
  const number = option.type === 4 || option.type === 10;
  if (number && (text.trim() === "" || Number.isNaN(Number(text)) || (option.type === 4 && !Number.isInteger(Number(text))))) {
    return `“${text}” is not ${kinds[option.type]}.`;
  }
  if (number && (Number(text) < (option.min_value ?? -Infinity) || Number(text) > (option.max_value ?? Infinity))) return `${text} is out of range: ${wants(option)}.`;
  const length = [...text].length;
  if (option.type === 3 && length < (option.min_length ?? 0)) return `At least ${option.min_length} characters.`;
  if (option.type === 3 && length > (option.max_length ?? Infinity)) return `At most ${option.max_length} characters.`;
  return "";
}

/** The fixed suggestions of an option: {name, value, detail, sign}; null when there are none to choose from. */
export function fixedItems(option, world) {
  if (option.choices?.length) return option.choices.map((c) => ({ name: c.name, value: String(c.value) }));
  switch (option.type) {
    case 5: return [{ name: "True", value: "true" }, { name: "False", value: "false" }];
    case 6: case 9: return world.members().map((p) => ({ name: p.name, value: p.id, detail: p.username, sign: avatar(p, world.bot) }));
    case 11: return [{ name: "Choose a file…", value: "", sign: icon("file"), upload: true }];
    case 7: return world.channels().filter((c) => !option.channel_types?.length || option.channel_types.includes(c.kind))
      .map((c) => ({ name: c.label, value: c.id, detail: c.place.name, sign: icon(c.kind === 0 ? "hash" : "at") }));
  }
  return null;
}

const plain = (text) => text.toLowerCase().replace(/^[@#]/, "");

/** The items that fit a text, best first. */
export function matchItems(items, typed) {
  const query = plain(typed.trim());
  const texts = (i) => [i.name, i.detail ?? "", i.value].map(plain);
  const starts = items.filter((i) => texts(i).some((t) => t.startsWith(query)));
  return [...starts, ...items.filter((i) => !starts.includes(i) && texts(i).some((t) => t.includes(query)))];
}

/** The item that a text names exactly; undefined for none. */
export function exactItem(items, typed) {
  const query = typed.trim().toLowerCase().replace(/^[@#]|^<@!?|>$/g, "");
  return items.find((i) => [i.name, i.detail ?? "", i.value].some((t) => plain(t) === query));
}
