// Say the words of the page's language.

const answer = await fetch(`/words/${document.documentElement.lang}.json`);
const entries = await answer.json();

/** The entry with its values filled in, as the catalogue does; a key that is missing shows itself. */
export function say(key, values = {}) {
  const text = entries[key] ?? key;
  return text.replace(/\{(\w+)\}/gu, (whole, name) => values[name] ?? whole);
}
