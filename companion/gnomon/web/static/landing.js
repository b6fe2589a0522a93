// Show on the first page what goes on at the board: one sentence and one picture.

import { byId, put } from "./dom.js";
import { banner, notLive } from "./banner.js";
import { listen } from "./stream.js";
import { say } from "./words.js";

const SAND = 5000; // ms between two pictures of running sand
const box = byId("now");
let shown = box.dataset.shown;

function tell({ title, hint }) {
  put(byId("now-title"), title);
  put(byId("now-hint"), hint ?? "");
}

function hear(news) {
  tell(news.game ? banner(news) : { title: say("page.board.waiting"), hint: say("landing.now.none") });
  box.dataset.game = news.game ?? "";
  if (document.hidden) return;
  const mark = markOf(news);
  if (mark === shown) return;
  shown = mark;
  byId("now-picture", HTMLImageElement).src =
    `/now.svg?language=${document.documentElement.lang}&at=${encodeURIComponent(mark)}`;
}

/** What the picture depends on: it is asked for again only when that has changed, and now and then while sand runs. */
function markOf(news) {
  if (!news.game) return "";
  const runs = news.traits.has_sand && !news.paused && !news.outcome;
  const sand = runs ? Math.floor(performance.now() / SAND) : "";
  return [
    news.game,
    news.plies?.length ?? 0,
    news.plies?.at(-1)?.text ?? "",
    news.phase === "wrong" ? "!" : "",
    sand,
  ].join(" ");
}

listen(`/board/events?language=${document.documentElement.lang}`, { summary: hear }, (live) => {
  box.dataset.live = live ? "yes" : "no";
  byId("now-live").dataset.live = live ? "yes" : "no";
  put(byId("now-live"), say(live ? "page.live" : "page.not_live"));
  if (!live) tell(notLive());
});
