/** @type {NodeJS.WriteStream} */
let output = process.stdout;

const SHOWN_AFTER_MS = 400;
const CLEAR_LINE = '\r\x1b[2K';

/** @param {NodeJS.WriteStream} stream where progress lines go from now on */
export function showProgressOn(stream) {
  output = stream;
}

/**
 * Writes a block as it is, in place of a step's line on a terminal; the step shows its line again below.
 *
 * @param {string} text
 */
export function say(text) {
  output.write(`${output.isTTY ? CLEAR_LINE : ''}${text}\n`);
}

/**
 * Runs a step and says so: on a terminal one line that counts the seconds, elsewhere a line when it turns out slow; then
 * what was done.
 *
 * @param {string} doing what is being done, "Installing packages"
 * @param {() => Promise<string | null>} work resolves to the line that says what was done; null: nothing to tell
 */
export async function step(doing, work) {
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  const stopShowing = output.isTTY ? countSeconds(doing, seconds) : announceOnce(doing);
  try {
    const done = await work();
    stopShowing();
    if (done !== null) say(`  ✓ ${done}${seconds() >= 2 ? ` (${seconds()} s)` : ''}`);
  } catch (error) {
    stopShowing();
    throw error;
  }
}

/**
 * @param {string} doing
 * @param {() => number} seconds
 */
function countSeconds(doing, seconds) {
  const show = () => output.write(`${CLEAR_LINE}  … ${doing}${seconds() >= 2 ? ` (${seconds()} s)` : ''}`);
  show();
  const timer = setInterval(show, 1000);
  return () => {
    clearInterval(timer);
    output.write(CLEAR_LINE);
  };
}

/** @param {string} doing */
function announceOnce(doing) {
  const timer = setTimeout(() => say(`  … ${doing}`), SHOWN_AFTER_MS);
  return () => clearTimeout(timer);
}
