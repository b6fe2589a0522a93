// Compute sand: what is left now, from what was left when the news came and its age.

import { clock } from "./seconds.js";
import { say } from "./words.js";

/** Seconds left in the upper bulb `age` seconds after `glass` was reported. */
export function remaining(glass, age) {
  return glass.running ? Math.max(0, glass.remaining - Math.max(0, age)) : glass.remaining;
}

/** The part of the sand in the upper bulb, 0 to 1; `over` for a glass turned over since it was reported. */
export function fraction(glass, age, over = false) {
  if (!glass.duration) return 0;
  const part = Math.min(1, remaining(glass, age) / glass.duration);
  return over ? 1 - part : part;
}

/**
 * What is left, for people: where nobody measures it, `~` and an estimate, and beyond that only that the glass runs.
 * Nothing is said of a glass that was never turned over.
 */
export function says(glass, seconds) {
  if (!glass.running && !glass.stopped && seconds <= 0) return "–";
  if (!glass.estimate || !glass.running) return clock(seconds);
  return seconds > 0 ? `~${clock(seconds)}` : say("players.glass.runs");
}
