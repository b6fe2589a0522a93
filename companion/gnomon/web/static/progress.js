// Keep in this browser, and nowhere else, which steps of which lessons were solved.

const KEY = "gnomon.lessons";

/** @returns {Record<string, string[]>} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {}; // kept by something else, or nothing may be kept
  }
}

/** The names of the steps of a lesson that were solved. */
export function stepsDone(lesson) {
  const steps = read()[lesson];
  return new Set(Array.isArray(steps) ? steps : []);
}

/** Keep that a step was solved. */
export function keepStep(lesson, step) {
  const steps = [...stepsDone(lesson).add(step)];
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [lesson]: steps }));
  } catch {
    // A browser that keeps nothing teaches all the same.
  }
}
