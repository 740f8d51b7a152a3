// What can be typed: the registered commands, flattened, and the suggestions for their options.

const localized = (text, table, locale) => table?.[locale] ?? text;

/** Lists what can be called, subcommands flattened: {name, shown, description, options}. */
export function flatten(commands, locale) {
  const out = [];
  const walk = (o, name, shown) => {
    const subs = (o.options ?? []).filter((s) => s.type === 1 || s.type === 2);
    for (const s of subs) walk(s, `${name} ${s.name}`, `${shown} ${localized(s.name, s.name_localizations, locale)}`);
    if (subs.length) return;
    const options = (o.options ?? []).map((p) => ({
      ...p, shown: localized(p.name, p.name_localizations, locale), description: localized(p.description, p.description_localizations, locale),
    }));
    options.sort((a, b) => Boolean(b.required) - Boolean(a.required));
    out.push({ name, shown, options, description: localized(o.description, o.description_localizations, locale) });
  };
  for (const c of commands) if (c.type === 1) walk(c, c.name, localized(c.name, c.name_localizations, locale));
  return out;
}

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
  return option.choices?.length ? "one of the list" : kinds[option.type] ?? "a value";
}

/** The fixed suggestions of an option: {name, value, detail}; null when there are none to choose from. */
export function fixedItems(option, world) {
  if (option.choices?.length) {
    return option.choices.map((c) => ({ name: localized(c.name, c.name_localizations, world.locale), value: String(c.value) }));
  }
  switch (option.type) {
    case 5: return [{ name: "True", value: "true" }, { name: "False", value: "false" }];
    case 6: case 9: return world.members().map((p) => ({ name: p.name, value: p.id, detail: p.username }));
    case 7: return world.channels().map((c) => ({ name: c.label, value: c.id }));
  }
  return null;
}

/** The items that fit a text, best first. */
export function matchItems(items, typed) {
  const query = typed.trim().toLowerCase().replace(/^[@#]/, "");
  const texts = (i) => [i.name, i.detail ?? "", i.value].map((t) => t.toLowerCase().replace(/^[@#]/, ""));
  const starts = items.filter((i) => texts(i).some((t) => t.startsWith(query)));
  return [...starts, ...items.filter((i) => !starts.includes(i) && texts(i).some((t) => t.includes(query)))];
}

/** The item that a text names exactly; undefined for none. */
export function exactItem(items, typed) {
  const query = typed.trim().toLowerCase().replace(/^[@#]|^<@!?|>$/g, "");
  return items.find((i) => [i.name, i.detail ?? "", i.value].some((t) => t.toLowerCase().replace(/^[@#]/, "") === query));
}
