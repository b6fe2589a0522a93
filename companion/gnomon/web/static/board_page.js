// The composition of the players' page: news in, what is shown out.

import { listen } from "./stream.js";

const byId = (id) => document.getElementById(id);

listen(
  "/board/events",
  { summary: (news) => (byId("summary").textContent = JSON.stringify(news, null, 1)) },
  (live) => (byId("live").dataset.live = live ? "yes" : "no"),
);
