// Asks the browser for push, and hands in what it gives. On an iPhone it says what has to come first.

import { _ } from "./words.js";

const possible = "serviceWorker" in navigator && "PushManager" in window;
const inSafari = navigator.standalone === false; // an iPhone knows this of a page that is no app yet

function bytes(base64url) {
  const text = atob(base64url.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

async function subscribe(form) {
  const registration = await navigator.serviceWorker.register(form.dataset.worker, { scope: "/" });
  await navigator.serviceWorker.ready;
  const before = await registration.pushManager.getSubscription();
  // One that was made for another key is good for nothing.
  await before?.unsubscribe();
  return registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytes(form.dataset.push),
  });
}

async function handIn(event) {
  const form = event.target.closest("form[data-push]");
  if (!form || form.elements.endpoint.value) return; // with what the browser gave it goes to the server
  event.preventDefault();
  const status = form.querySelector("[aria-live]");
  status.textContent = _("Your browser asks you…");
  try {
    const { endpoint, keys } = (await subscribe(form)).toJSON();
    const given = { endpoint, p256dh: keys.p256dh, auth: keys.auth, name: _("This browser") };
    for (const [name, value] of Object.entries(given)) form.elements[name].value = value;
    form.requestSubmit();
  } catch {
    status.textContent = _("Your browser does not allow it. Its settings for this site say why.");
  }
}

/** Offer push where the browser has it, and elsewhere the way to it. */
export function offer() {
  for (const form of document.querySelectorAll("form[data-push]")) form.hidden = !possible;
  for (const words of document.querySelectorAll("[data-without-push]")) words.hidden = possible || inSafari;
  for (const way of document.querySelectorAll("[data-home-screen]")) way.hidden = possible || !inSafari;
}

document.addEventListener("submit", handIn);
document.addEventListener("game:moved", offer);
offer();
