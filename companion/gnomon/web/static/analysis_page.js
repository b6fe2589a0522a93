// Tell how far the analysis of a game has come, and show it when it is done.

import { byId, put } from "./dom.js";

const EACH = 1000; // ms
const bar = byId("progress", HTMLProgressElement);

async function look() {
  try {
    const answer = await fetch(bar.dataset.address ?? "");
    const news = await answer.json();
    if (answer.ok && !news.runs) {
      location.reload();
      return;
    }
    if (answer.ok) {
      put(byId("progress-text"), news.text);
      bar.value = news.turns ? (100 * news.done) / news.turns : 0;
    }
  } catch {
    // The board is away for a moment; the next look may find it.
  }
  setTimeout(look, EACH);
}

setTimeout(look, EACH);
