// Quiet sounds, made here and not loaded. Off until they are switched on; this device remembers how
// loud each may be, and which there are (sounds_choice.js).

const KEPT = "scottenbury.sounds";
const LOUD = 0.16; // of 1, at full volume
const PARTIALS = [[1, 1], [2, 0.28], [3, 0.09]]; // of a plucked string: multiples of its pitch, and how loud
// Each note: frequency in hertz, and when it begins in seconds.
const NOTES = {
  turn: [[392, 0], [493.9, 0.12], [587.3, 0.24]],
  stone: [[293.7, 0.1], [440, 0.22]], // after a knock
  message: [[880, 0], [1174.7, 0.09]],
  end: [[587.3, 0], [493.9, 0.16], [392, 0.32], [293.7, 0.48], [392, 0.72], [587.3, 0.72]],
  sent: [[329.6, 0]],
};
const SOFT = 0.35; // one's own Send, of the others

/** What is chosen: whether they are `on`, the `volume` from 0 to 10, and the `events` that sound. */
export const chosen = { on: false, volume: 5, events: ["turn", "stone", "message", "end"], ...remembered() };
let context = null; // made by the first sound

/** Versions before held the word alone. */
function remembered() {
  try {
    const kept = localStorage.getItem(KEPT);
    return kept === "on" ? { on: true } : JSON.parse(kept);
  } catch {
    return null;
  }
}

export function remember() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(chosen));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  show();
}

/** Browsers let a page sound once somebody has pressed something on it. */
const isTouched = () => navigator.userActivation?.hasBeenActive ?? true;

function wake() {
  if (!isTouched()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

/** A sound that begins `begin` seconds from now, and fades away. */
function strike(type, frequency, begin, length, volume) {
  const at = context.currentTime + begin;
  const [note, gain] = [new OscillatorNode(context, { type, frequency }), new GainNode(context, { gain: 0 })];
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime((volume * LOUD * chosen.volume) / 10, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  note.connect(gain).connect(context.destination);
  note.start(at);
  note.stop(at + length);
  return note;
}

/** Sound once, whatever is chosen. */
export function sound(event) {
  wake();
  if (context?.state !== "running" || !chosen.volume) return;
  const soft = event === "sent" ? SOFT : 1;
  if (event === "stone") strike("triangle", 150, 0, 0.2, 1.6).frequency.exponentialRampToValueAtTime(60, context.currentTime + 0.15);
  for (const [pitch, begin] of NOTES[event]) {
    for (const [multiple, volume] of PARTIALS) strike("sine", pitch * multiple, begin, 1.3 / multiple, soft * volume);
  }
}

function play(event) {
  if (chosen.on && chosen.events.includes(event)) sound(event);
}

/** What the page shows of what sounds. */
const heard = () => ({
  claimed: document.querySelectorAll(".board .column[class*=owned-]").length,
  mine: Boolean(document.querySelector(".now.mine")),
  over: Boolean(document.querySelector(".end")),
});

let before = heard();

document.addEventListener("game:moved", () => {
  const now = heard();
  const next = now.over && !before.over ? "end" : now.mine && !before.mine ? "turn" : before.mine && !now.mine ? "sent" : null;
  if (now.claimed > before.claimed) play("stone");
  if (next) setTimeout(play, now.claimed > before.claimed ? 900 : 0, next);
  before = now;
});
document.addEventListener("game:addressed", () => play("message"));

/** The button is part of the board, which is put anew after each change. */
function show() {
  const button = document.getElementById("sounds");
  button?.setAttribute("aria-label", `Sounds: ${chosen.on ? "on" : "off"}`);
  button?.toggleAttribute("data-waits", chosen.on && !isTouched());
}

document.addEventListener("game:shown", show);
document.addEventListener("click", ({ target }) => target.closest("#sounds") && import("./sounds_choice.js").then((choice) => choice.show()));
for (const gesture of ["pointerdown", "pointerup", "keydown"]) addEventListener(gesture, () => chosen.on && wake());
for (const gesture of ["click", "keydown"]) addEventListener(gesture, show); // not earlier: its words, and so its width, change
show();
