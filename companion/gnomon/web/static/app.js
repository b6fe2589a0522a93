// Install the service worker, where the browser has one: over TLS, or on the board itself.

if (isSecureContext && "serviceWorker" in navigator) {
  addEventListener("load", () => navigator.serviceWorker.register("/service-worker.js").catch(() => null));
}
