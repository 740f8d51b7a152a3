// Emoji in texts. The marks of the games are drawn by the style sheet, so that they look the same everywhere, also on a
// system without a font for them; the character stays in the text.

import { el } from "./dom.js";

const pattern = /((?:\p{Regional_Indicator}{2}|\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)(?:\p{Emoji_Modifier}|\u200D\p{Extended_Pictographic}\uFE0F?)*\uFE0F?)/u;

/** Splits a text into strings and elements. */
export function emojis(text) {
  return text.split(pattern).filter((s) => s !== "").map((part, i) => (pattern.test(part) ? emoji(part) : part));
}

/** One emoji. */
export function emoji(name) {
  return el("span", { class: "emoji", "data-emoji": name.replace(/\uFE0F$/, "") }, name);
}
