// Run the shell without a board: ask whether the board is there again, and then open its page.

const SHELL = "/not-live";
const AGAIN = 2000; // ms between two questions
const PATIENCE = 3000; // ms for an answer

async function ask() {
  try {
    // Only the board answers this: what the service worker keeps, it gives for GET alone.
    await fetch(SHELL, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    location.reload();
  } catch {
    setTimeout(ask, AGAIN);
  }
}

// Under its own name the shell stands for no other page.
if (location.pathname !== SHELL) setTimeout(ask, AGAIN);
