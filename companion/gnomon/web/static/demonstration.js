// Say on a page whether simulated hands show a game there, and which of their controls help now.

import { byId, optional, put } from "./dom.js";
import { say } from "./words.js";

/** Bring what is said of the demonstration up to date, where the page says anything of one. */
export function showDemonstration(news) {
  const box = optional(document, "#demonstration");
  if (!box) return;
  box.hidden = !news.demonstration;
  // Hands may make the turns of people, too.
  const what = news.paused ? "paused" : news.opponent?.exhibition ? "what" : "hands";
  put(byId("demonstration-what"), say(`watching.demo.${what}`));
  optional(document, "#demonstration-pause")?.toggleAttribute("hidden", Boolean(news.paused));
  optional(document, "#demonstration-resume")?.toggleAttribute("hidden", !news.paused);
}
