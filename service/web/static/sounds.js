// Two quiet sounds, made here and not loaded: it is your turn, and a Stone was claimed. Off until
// they are switched on; this device remembers it.

const KEPT = "scottenbury.sounds";
const LOUD = 0.06; // of 1
// Each note: frequency in hertz, when it begins and how long it lasts in seconds.
const TURN = { wave: "sine", notes: [[392, 0, 0.5], [587.3, 0.14, 0.8]] };
const STONE = { wave: "triangle", notes: [[98, 0, 0.35], [73.4, 0.09, 0.5]] };

const box = document.getElementById("sounds");
let context = null;

function remembered() {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return false;
  }
}

function remember(on) {
  try {
    if (on) localStorage.setItem(KEPT, "on");
    else localStorage.removeItem(KEPT);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** Browsers let a page sound once somebody has pressed something on it. */
function wake() {
  if (!box.checked) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

function play({ wave, notes }) {
  wake();
  if (!box.checked || context.state !== "running") return;
  for (const [pitch, begin, length] of notes) {
    const [at, end] = [context.currentTime + begin, context.currentTime + begin + length];
    const [note, volume] = [new OscillatorNode(context, { type: wave, frequency: pitch }), new GainNode(context, { gain: 0 })];
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(LOUD, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, end);
    note.connect(volume).connect(context.destination);
    note.start(at);
    note.stop(end);
  }
}

/** What the page shows of what sounds. */
const heard = () => ({
  claimed: document.querySelectorAll(".board .column[class*=owned-]").length,
  mine: Boolean(document.querySelector(".now.mine")),
});

let before = heard();

document.addEventListener("game:moved", () => {
  const now = heard();
  if (now.claimed > before.claimed) play(STONE);
  if (now.mine && !before.mine) setTimeout(() => play(TURN), now.claimed > before.claimed ? 500 : 0);
  before = now;
});
box.checked = remembered();
box.addEventListener("change", () => {
  remember(box.checked);
  if (box.checked) play(TURN);
});
addEventListener("pointerdown", wake, { once: true });
addEventListener("keydown", wake, { once: true });
