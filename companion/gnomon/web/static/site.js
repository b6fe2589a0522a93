// On every page: where the way to the other pages is wider than the window, bring this one to the middle.

import { optional } from "./dom.js";

const here = optional(document, ".site-nav [aria-current]");
if (here) {
  const way = /** @type {HTMLElement} */ (here.closest(".site-nav"));
  const [one, all] = [here.getBoundingClientRect(), way.getBoundingClientRect()];
  way.scrollLeft += (one.left + one.right - all.left - all.right) / 2;
}
