// Say the words of the page's language.

const { dataset, lang } = document.documentElement;
const answer = await fetch(dataset.words ?? `/words/${lang}.json`); // a site of files says where they are
const entries = await answer.json();

/** The entry with its values filled in, as the catalogue does; a key that is missing shows itself. */
export function say(key, values = {}) {
  const text = entries[key] ?? key;
  return text.replace(/\{(\w+)\}/gu, (whole, name) => values[name] ?? whole);
}
