// The player's own share in the shuffle: a salt made in this browser after it has seen the server's
// commitment, and kept so that the finished game can be checked against both. docs/verify.md, 6.

const KEY = "scottenbury:salt:";

/** A salt that nobody can foresee: 32 hexadecimal digits. */
export function newSalt() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Keeps what this browser gave to the game with that commitment. */
export function keep(storage, commitment, salt) {
  storage.setItem(KEY + commitment, salt);
}

/** The {commitment, salt} that this browser kept for a game, or null. */
export function kept(storage, commitment) {
  const salt = commitment ? storage.getItem(KEY + commitment) : null;
  return salt === null ? null : { commitment, salt };
}

/** Asks the server to bind itself to a secret before it knows the salt; null where it does not. */
async function askForSeal(form) {
  const token = form.querySelector("input[name=form]").value;
  const once = form.querySelector("input[name=once]")?.value ?? ""; // of somebody who is no player yet
  const answer = await fetch(form.dataset.seals, { method: "POST", body: new URLSearchParams({ form: token, once }) });
  return answer.ok ? answer.json() : null;
}

function put(form, name, value) {
  let input = form.querySelector(`input[name=${name}]`);
  if (!input) {
    input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    form.append(input);
  }
  input.value = value;
}

/** Puts a new salt into a form that begins or joins the game with this commitment. */
function give(form, commitment) {
  const salt = newSalt();
  put(form, "salt", salt);
  keep(localStorage, commitment, salt);
}

/** Sends a form that makes a game: with a seal and a salt, or without both where there is no seal. */
async function sendSealed(form, submitter) {
  const sealed = await askForSeal(form).catch(() => null);
  if (sealed) {
    put(form, "seal", sealed.seal);
    give(form, sealed.commitment);
  }
  form.dataset.salted = "yes";
  form.requestSubmit(submitter);
}

function onSubmit(event) {
  const form = event.target.closest("form[data-seals], form[data-commitment]");
  if (!form || form.dataset.salted === "yes") return;
  if (!form.dataset.seals) {
    give(form, form.dataset.commitment);
    form.dataset.salted = "yes";
    return;
  }
  event.preventDefault();
  if (form.dataset.salted === "soon") return;
  form.dataset.salted = "soon";
  sendSealed(form, event.submitter);
}

if (globalThis.document) document.addEventListener("submit", onSubmit);
