// Compute a match clock: what each side has now, from what it had when the news came and its age.

import { whole } from "./seconds.js";
import { say } from "./words.js";

const LOW = 20; // seconds under which tenths are shown, as the display of the board does
const EPSILON = 1e-6;

/** Both sides `age` seconds after the news, each as it is told and gone on with; none where there is no clock. */
export function sidesNow(game, age) {
  const clock = game?.clock;
  if (!clock) return [];
  const until = clock.deadline === null ? Infinity : clock.deadline - game.now;
  // A period that has ended meanwhile goes over into the next one; what the next one is, was told before.
  const [sides, since] = clock.after && age >= until ? [clock.after, age - until] : [clock.sides, age];
  const runs = sides.find((side) => side.running);
  const thought = runs ? Math.max(0, since) : 0;
  const falls = runs ? Math.max(0, thought - runs.delay) : 0;
  return sides.map((side) => {
    if (side === runs) {
      const left = side.kind === "up" ? side.remaining : Math.max(0, side.remaining - falls);
      const counted = side.kind === "up" ? side.counted + falls : side.counted;
      return { ...side, remaining: left, counted, delay: Math.max(0, side.delay - thought), used: side.used + thought };
    }
    return side.kind === "hourglass" && runs
      ? { ...side, remaining: side.remaining + Math.min(falls, runs.remaining) }
      : side;
  });
}

/** The side on which somebody plays, of those that `sidesNow` gives. */
export const sideOf = (sides, player) => sides.find((side) => side.player === player || side.players.includes(player));

/** The time that a side shows: rounded up, with tenths under 20 seconds; what is counted up is rounded down. */
export function shows(side) {
  if (side.kind === "up") return whole(Math.floor(side.counted + EPSILON));
  if (side.remaining >= LOW) return whole(Math.ceil(side.remaining - EPSILON));
  const tenths = Math.ceil(side.remaining * 10 - EPSILON);
  return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
}

/** Whether a side is short of time: in byo-yomi only in its last spell. */
export const isLow = (side) =>
  side.kind !== "up" && side.remaining < LOW && (side.kind !== "byo-yomi" || side.spells <= 1);

/** What stands under the time, in a few words: the delay, the spells or the period, and the moves. */
export function remarks(side) {
  const said = [];
  if (side.running && side.delay > 0) said.push(say("clock.delay", { seconds: Math.ceil(side.delay - EPSILON) }));
  if (side.kind === "up") said.push(say("clock.counted"));
  if (side.kind === "byo-yomi") said.push(say("clock.spells", { number: side.spells }));
  else if (side.periods > 1) said.push(say("clock.period", { number: side.period, periods: side.periods }));
  said.push(
    side.to_go === null ? say("clock.moves", { number: side.moves }) : say("clock.to_go", { number: side.to_go }),
  );
  return said;
}
