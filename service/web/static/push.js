// Asks the browser for push, and hands in what it gives.

const form = document.querySelector("form[data-push]");
const possible = "serviceWorker" in navigator && "PushManager" in window;

function bytes(base64url) {
  const text = atob(base64url.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

async function subscribe() {
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
  event.preventDefault();
  const status = form.querySelector("[role=status]");
  status.textContent = "Your browser asks you…";
  try {
    const { endpoint, keys } = (await subscribe()).toJSON();
    const given = { endpoint, p256dh: keys.p256dh, auth: keys.auth, name: "This browser" };
    for (const [name, value] of Object.entries(given)) form.elements[name].value = value;
    form.submit();
  } catch {
    status.textContent = "Your browser does not allow it. Its settings for this site say why.";
  }
}

if (form && possible) {
  form.hidden = false;
  document.querySelector("[data-without-push]").remove();
  form.addEventListener("submit", handIn);
}
