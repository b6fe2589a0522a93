// Run the spectators' page: show the board, and speak the rulings where somebody listens.

import { byId, offerFullScreen, optional, put } from "./dom.js";
import { BoardView } from "./board_view.js";
import { showDemonstration } from "./demonstration.js";
import { Speech } from "./speech.js";
import { listen } from "./stream.js";
import { say } from "./words.js";

const view = await BoardView.open();
const speech = new Speech(byId("speech"), byId("speech-none"));

offerFullScreen(byId("full"));

listen(
  `/watch/events?language=${document.documentElement.lang}`,
  {
    summary: (news) => {
      view.hear(news);
      speech.hear(news);
      if (!news.game) put(byId("banner-hint"), byId("main").dataset.empty ?? "");
      showDemonstration(news);
      optional(document, "#next-game")?.toggleAttribute("hidden", !news.free);
      put(byId("what"), news.game ? say(`game.${news.game}`) : "");
    },
  },
  (live) => {
    view.live(live);
    if (!live) speech.silence();
    byId("live").dataset.live = live ? "yes" : "no";
    put(byId("live-text"), live ? (byId("live").dataset.words ?? "") : say("page.not_live"));
  },
  () => speech.isOn, // it is heard, also where it is not seen
);
