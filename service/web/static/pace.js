// Merges what is asked for too often. What others do leads to fetches here, and nobody else may
// decide how many.

const GAP = 1000; // milliseconds between the end of a run and the next

/**
 * A function that runs `job`, an async function: at once, or after the run that goes on and a pause.
 * However often it is called meanwhile, that is one run. A job that fails is left for the next call.
 */
export function paced(job) {
  let running = false;
  let queued = false;

  async function run() {
    running = true;
    do {
      queued = false;
      await job().catch(() => {});
      await new Promise((done) => setTimeout(done, GAP));
    } while (queued);
    running = false;
  }

  return () => {
    if (running) queued = true;
    else run();
  };
}
