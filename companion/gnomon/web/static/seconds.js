// Write seconds for people.

/** Seconds for people, rounded up as a clock does: 83.2 is "1:24", 9.1 is "10". */
export function clock(seconds) {
  const rounded = Math.ceil(seconds - 1e-9);
  if (rounded < 60) return String(rounded);
  return `${Math.floor(rounded / 60)}:${String(rounded % 60).padStart(2, "0")}`;
}

/** A whole number of seconds: "0:07", "12:30", "1:02:09". */
export function whole(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
