// Keep the page of a board in a site of files as of now: put in what has changed, and count its times down.

import { byId, findAll, put } from "./dom.js";
import { poll } from "./poll.js";
import { spoken } from "./hall_news.js";

let heard = performance.now();

poll(
  location.href.split("#")[0],
  async (answer, age) => {
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    heard = performance.now() - age;
    for (const old of findAll(document, "[data-part][id]")) {
      const now = fresh.getElementById(old.id);
      if (now && now.outerHTML !== old.outerHTML) old.replaceWith(document.importNode(now, true));
    }
    run();
  },
  (isLive) => {
    byId("main").dataset.live = isLive ? "yes" : "no"; // a page that is old counts no time down
  },
);

function run() {
  for (const time of findAll(document, "[data-left]")) {
    const stands = time.dataset.runs === undefined || byId("main").dataset.live === "no";
    const runs = stands ? 0 : performance.now() - heard;
    put(time, spoken(Math.max(10000, Number(time.dataset.left) - runs)));
  }
}

setInterval(run, 500);
