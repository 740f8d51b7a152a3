// What can be done with a person or a message: the entries of their menus.

import { word } from "./text.js";

/** The entries for a person. can: {call(request, name), mention(id), become(username), copy(text), window(username)}. */
export function personMenu(person, world, commands, can) {
  const apps = commands.filter((c) => c.type === 2).map((c) => ({
    app: c.name, label: c.shown, icon: "apps", run: () => can.call({ do: "user", command: c.name, target: person.id }, c.shown),
  }));
  return [
    { key: "mention", label: word("mention"), icon: "at", run: () => can.mention(person.id) },
    below(apps),
    ...(person.bot || person.id === world.me ? [] : [
      { key: "become", label: `Be ${person.name}`, icon: "person", run: () => can.become(person.username) },
      { key: "window", label: `Open a window as ${person.name}`, icon: "window", run: () => can.window(person.username) },
    ]),
    { key: "copy-id", label: word("copyId"), icon: "copy", run: () => can.copy(person.id) },
  ];
}

/** The entries for a message. can: as above, and {reply(info), remove(id)}. */
export function messageMenu(info, world, commands, can) {
  const m = info.message;
  const channel = world.find(m.channel_id);
  const apps = info.viewer ? [] : commands.filter((c) => c.type === 3).map((c) => ({
    app: c.name, label: c.shown, icon: "apps", run: () => can.call({ do: "message", command: c.name, message: m.id }, c.shown),
  }));
  return [
    ...(info.viewer ? [] : [{ key: "reply", label: word("reply"), icon: "reply", run: () => can.reply(info) }]),
    below(apps),
    { key: "copy-text", label: word("copyText"), icon: "copy", run: () => can.copy(textOf(m)) },
    { key: "copy-link", label: word("copyLink"), icon: "link", run: () => can.copy(linkTo(m, channel)) },
    { key: "copy-id", label: word("copyId"), icon: "copy", run: () => can.copy(m.id) },
    ...(info.viewer ? [] : [{ key: "delete", label: word("remove"), icon: "trash", danger: true, run: () => can.remove(m.id) }]),
  ];
}

function below(apps) {
  const items = apps.length ? apps : [{ label: word("noApps"), off: true }];
  return { key: "apps", label: word("apps"), items };
}

/** The address of a message, as clients write it; the page jumps there. */
export function linkTo(m, channel) {
  const place = channel?.place.id ?? "@me";
  return `${location.origin}/channels/${place}/${m.channel_id}/${m.id}`;
}

// What a message says: its content, or the texts of its components.
function textOf(m) {
  const texts = (list) => (list ?? []).flatMap((c) => [...(c.type === 10 ? [c.content] : []), ...texts(c.components)]);
  return m.content || texts(m.components).join("\n");
}
