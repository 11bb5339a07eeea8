// Quiet sounds, made here and not loaded: it is your turn, a Stone was claimed, the other player
// wrote or offered something, the game is over. Off until they are switched on; this device
// remembers it.

const KEPT = "scottenbury.sounds";
const LOUD = 0.08; // of 1
const PARTIALS = [[1, 1], [2, 0.28], [3, 0.09]]; // of a plucked string: multiples of its pitch, and how loud
// Each note: frequency in hertz, and when it begins in seconds.
const TURN = [[392, 0], [493.9, 0.12], [587.3, 0.24]];
const STONE = [[293.7, 0.1], [440, 0.22]]; // after a knock
const MESSAGE = [[880, 0], [1174.7, 0.09]];
const END = [[587.3, 0], [493.9, 0.16], [392, 0.32], [293.7, 0.48], [392, 0.72], [587.3, 0.72]];
const WORDS = { true: "Sounds on: your turn, a claimed Stone, a message, the end.", false: "Sounds off." };

let context = null;
let on = remembered();
let telling = 0; // the timer after which the words go

function remembered() {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return false;
  }
}

function remember() {
  try {
    if (on) localStorage.setItem(KEPT, "on");
    else localStorage.removeItem(KEPT);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** Browsers let a page sound once somebody has pressed something on it. */
const isTouched = () => navigator.userActivation?.hasBeenActive ?? true;

function wake() {
  if (!on || !isTouched()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

/** A sound that begins `begin` seconds from now, and fades away. */
function strike(type, frequency, begin, length, volume) {
  const at = context.currentTime + begin;
  const [note, gain] = [new OscillatorNode(context, { type, frequency }), new GainNode(context, { gain: 0 })];
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume * LOUD, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  note.connect(gain).connect(context.destination);
  note.start(at);
  note.stop(at + length);
  return note;
}

function play(notes, knock = false) {
  wake();
  if (!on || context?.state !== "running") return;
  if (knock) strike("triangle", 150, 0, 0.2, 1.6).frequency.exponentialRampToValueAtTime(60, context.currentTime + 0.15);
  for (const [pitch, begin] of notes) {
    for (const [multiple, volume] of PARTIALS) strike("sine", pitch * multiple, begin, 1.3 / multiple, volume);
  }
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
  const next = now.over && !before.over ? END : now.mine && !before.mine ? TURN : null;
  if (now.claimed > before.claimed) play(STONE, true);
  if (next) setTimeout(() => play(next), now.claimed > before.claimed ? 900 : 0);
  before = now;
});
document.addEventListener("game:said", ({ detail }) => detail && play(MESSAGE));

/** The switch is part of the board, which is put anew after each change. */
function show() {
  const sounds = document.getElementById("sounds");
  sounds?.setAttribute("aria-pressed", on);
  sounds?.toggleAttribute("data-waits", on && !isTouched());
}

/** Say for a while which sounds there are: beside the switch of a phone there is no room. */
function tell() {
  const status = document.getElementById("status");
  status.textContent = WORDS[on];
  status.classList.add("aloud");
  clearTimeout(telling);
  telling = setTimeout(() => status.classList.remove("aloud"), 4000);
}

document.addEventListener("game:shown", show);
document.addEventListener("click", ({ target }) => {
  if (!target.closest("#sounds")) return;
  on = !on;
  remember();
  show();
  tell();
  play(TURN);
});
for (const gesture of ["pointerdown", "pointerup", "keydown"]) {
  addEventListener(gesture, () => {
    wake();
    show();
  });
}
show();
