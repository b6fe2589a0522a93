// Link the rules that a ruling names to their text.

import { html } from "./dom.js";

// "Rule 11", "Regel 11", "Règle 11", and with two of them "Rules 3 and 4".
const CITED = /(?:Rules?|Regeln?|Règles?)\s\d+/giu;

/** A sentence in parts, its rules as links to the rules of a game. */
export function withRules(sentence, game) {
  const parts = [];
  let from = 0;
  for (const found of sentence.matchAll(CITED)) {
    const number = found[0].replace(/\D+/gu, "");
    parts.push(
      sentence.slice(from, found.index),
      html("a", { class: "rule", href: `/rules/${game}#rule-${number}`, text: found[0] }),
    );
    from = found.index + found[0].length;
  }
  return [...parts, sentence.slice(from)];
}
