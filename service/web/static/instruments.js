// What sounds (sounds.js), made here and not loaded: a harp, a bell, a drone, a knock of wood, a Stone
// that is moved. The tunes are pentatonic, with the short-long snap of a strathspey.

const LOUD = 0.16; // of 1, at full volume
const MOMENT = 150; // milliseconds within which two tunes begin at once, and only the more important one is heard

/** Each note: its instrument, its pitch (69 is the A of 440 hertz), its beginning in seconds, how loud. The
 * more important tunes are first. */
const TUNES = {
  won: [["drone", 50, 0], ["drone", 57, 0, 0.7], ["harp", 62, 0], ["harp", 69, 0.1], ["harp", 71, 0.36], ["harp", 74, 0.46],
    ["harp", 76, 0.72], ["harp", 78, 0.82], ["harp", 81, 1.1, 0.8], ["harp", 74, 1.1, 0.4], ["harp", 62, 1.1, 0.4]],
  lost: [["harp", 74, 0, 0.8], ["harp", 71, 0.34, 0.8], ["harp", 69, 0.44, 0.8], ["harp", 66, 0.8, 0.7], ["harp", 64, 0.9, 0.7],
    ["harp", 59, 1.3, 0.8], ["harp", 54, 1.3, 0.5]],
  drawn: [["drone", 57, 0, 0.6], ["harp", 69, 0, 0.8], ["harp", 64, 0.34, 0.8], ["harp", 69, 0.44, 0.8], ["harp", 64, 0.9, 0.8]],
  claimed: [["stone", 50, 0], ["harp", 62, 0.16, 0.9], ["harp", 69, 0.25], ["harp", 74, 0.46]],
  taken: [["stone", 45, 0], ["harp", 69, 0.16, 0.8], ["harp", 64, 0.36, 0.8], ["harp", 57, 0.45, 0.8]],
  turn: [["harp", 67, 0], ["harp", 71, 0.09], ["harp", 74, 0.3], ["harp", 62, 0.3, 0.5]],
  time: [["wood", 79, 0, 0.7], ["wood", 74, 0.3, 0.7], ["bell", 76, 0.6, 0.8], ["bell", 76, 1.3, 0.5]],
  message: [["harp", 81, 0, 0.8], ["harp", 86, 0.09, 0.8]],
  arrival: [["wood", 69, 0, 0.7], ["wood", 69, 0.15, 0.7], ["harp", 69, 0.45, 0.5], ["harp", 74, 0.54, 0.5]],
  sent: [["harp", 64, 0, 0.6], ["harp", 71, 0.07, 0.4]],
  laid: [["wood", 67, 0, 2]],
  answered: [["wood", 62, 0, 2.3]],
};
const IMPORTANCE = Object.keys(TUNES);
const KNOCKS = ["laid", "answered"]; // so short that they sound beside any tune

// Partials: multiples of the pitch, how loud, and how many seconds they last.
const HARP = [[1, 1, 1.3], [2.003, 0.3, 0.7], [3.01, 0.12, 0.4], [4.03, 0.05, 0.25]];
const BELL = [[1, 1, 1.6], [2.76, 0.3, 0.8], [5.4, 0.1, 0.35]]; // no string: its partials are no harmony

/** Each plays a note of `frequency` into `out` at a moment. */
const INSTRUMENTS = {
  harp(out, frequency, at, loud) {
    noise(out, "bandpass", frequency * 4, at, 0.03, loud * 0.25); // the finger
    partials(HARP, out, frequency, at, loud);
  },
  bell: (out, frequency, at, loud) => partials(BELL, out, frequency, at, loud),
  drone(out, frequency, at, loud) {
    const reed = new BiquadFilterNode(out.context, { type: "lowpass", frequency: 480 });
    reed.connect(out);
    tone(reed, "sawtooth", frequency, at, 2.4, loud * 0.3, 0.3);
  },
  wood(out, frequency, at, loud) {
    noise(out, "bandpass", frequency * 2, at, 0.05, loud * 1.4);
    tone(out, "sine", frequency, at, 0.18, loud).exponentialRampToValueAtTime(frequency * 0.7, at + 0.1);
  },
  stone(out, frequency, at, loud) {
    noise(out, "lowpass", 520, at, 0.28, loud * 1.2, 0.05); // it grinds
    tone(out, "triangle", frequency, at, 0.22, loud * 1.5).exponentialRampToValueAtTime(frequency * 0.4, at + 0.16);
  },
};

let last = null; // the tune that began last: its `name`, the moment `at` which it did, and where it comes `out`

/** Have it sound at once, `volume` of 1: it belongs to what is seen. One that is tried silences those before. */
export function perform(context, name, volume, isTried) {
  const at = performance.now();
  const isKnock = KNOCKS.includes(name);
  const meets = !isTried && !isKnock && at - last?.at < MOMENT;
  if (meets && IMPORTANCE.indexOf(last.name) <= IMPORTANCE.indexOf(name)) return;
  const begin = context.currentTime;
  if (isTried || meets) last?.out.gain.setTargetAtTime(0, begin, 0.02);
  const out = new GainNode(context, { gain: volume * LOUD });
  out.connect(context.destination);
  for (const [instrument, pitch, after, loud = 1] of TUNES[name]) INSTRUMENTS[instrument](out, 440 * 2 ** ((pitch - 69) / 12), begin + after, loud);
  if (isTried || !isKnock) last = { name, at: isTried ? -MOMENT : at, out };
}

function partials(all, out, frequency, at, loud) {
  for (const [multiple, part, length] of all) tone(out, "sine", frequency * multiple, at, length, loud * part);
}

/** A tone that swells within `attack` seconds, and fades away; gives its pitch. */
function tone(out, type, frequency, at, length, volume, attack = 0.006) {
  const source = new OscillatorNode(out.context, { type, frequency });
  faded(source, out, at, length, volume, attack);
  return source.frequency;
}

/** A burst of noise about a `frequency`. */
function noise(out, type, frequency, at, length, volume, attack = 0.002) {
  const { context } = out;
  const buffer = new AudioBuffer({ length: Math.ceil(length * context.sampleRate), sampleRate: context.sampleRate });
  buffer.copyToChannel(Float32Array.from({ length: buffer.length }, () => Math.random() * 2 - 1), 0);
  const filter = new BiquadFilterNode(context, { type, frequency, Q: type === "bandpass" ? 1.4 : 0.5 });
  filter.connect(out);
  faded(new AudioBufferSourceNode(context, { buffer }), filter, at, length, volume, attack);
}

function faded(source, out, at, length, volume, attack) {
  const envelope = new GainNode(out.context, { gain: 0 });
  envelope.gain.setValueAtTime(0, at);
  envelope.gain.linearRampToValueAtTime(volume, at + attack);
  envelope.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(envelope).connect(out);
  source.start(at);
  source.stop(at + length);
}
