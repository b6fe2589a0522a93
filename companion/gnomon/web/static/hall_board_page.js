// Show one board of a hall as its own pages show it, and what became of what was asked of it.

import { byId, find, findAll, html, optional, put } from "./dom.js";
import { BoardView } from "./board_view.js";
import { listen } from "./stream.js";
import { say } from "./words.js";

const main = byId("main");
const view = await BoardView.open();
let before = -1; // board time as it was told last
let stands = false; // a board that is not reached tells no time, though its game is not paused

/** One wish and its fate, by a sign and in words. */
function wish({ what, who, at, fate, why, proof, text }) {
  const proven = proof ? ` · ${say("hall.fate.proof", { number: proof })}` : "";
  const known = (main.dataset.asks ?? "").split(" ").includes(what) ? what : "other";
  return html(
    "li",
    { class: "wish", "data-fate": fate },
    html("span", { class: "wish-sign", "aria-hidden": "true" }),
    html("b", { text: say(`hall.asked.${known}`) }),
    html("span", { class: "wish-text", text }),
    html("span", { class: "wish-who", text: `${who} · ${at}` }),
    html("span", { class: "wish-fate", text: `${say(`hall.fate.${fate}`)}${proven}` }),
    html("span", { class: "wish-why", text: why }),
  );
}

/** What can be asked has changed with the game: the forms are fetched again, unless somebody is writing in them. */
async function renew(key) {
  const forms = optional(document, "#ask");
  if (!forms || forms.dataset.key === key || forms.contains(document.activeElement)) return;
  forms.dataset.key = key;
  const answer = await fetch(location.pathname, { headers: { Accept: "text/html" }, cache: "no-store" }).catch(
    () => null,
  );
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("ask");
  const open = new Set(findAll(forms, "details[open] > summary").map(({ textContent }) => textContent));
  for (const details of fresh?.querySelectorAll("details") ?? [])
    details.open ||= open.has(find(details, "summary").textContent);
  if (fresh && !forms.contains(document.activeElement)) forms.replaceChildren(...fresh.childNodes);
}

listen(
  `${location.pathname}/events?language=${document.documentElement.lang}`,
  {
    summary: (news) => {
      stands = Boolean(news.game) && !news.paused && !news.outcome && news.now === before;
      before = news.now;
      view.hear(news);
      if (view.isLive === stands) view.live(!stands);
      if (!news.game) put(byId("banner-hint"), main.dataset.empty ?? "");
      put(byId("what"), news.game ? say(`game.${news.game}`) : "");
      renew(`${news.game ?? ""}.${news.paused ? "paused" : ""}.${news.outcome ? "over" : ""}`);
    },
    asked: ({ asked }) => {
      const list = optional(document, "#wishes");
      if (!list) return;
      list.replaceChildren(...asked.map(wish));
      byId("wishes-none").hidden = asked.length > 0;
    },
  },
  (live) => {
    if (view.isLive !== (live && !stands)) view.live(live && !stands);
    byId("live").dataset.live = live ? "yes" : "no";
    put(byId("live-text"), live ? say("page.live") : say("page.not_live"));
  },
);
