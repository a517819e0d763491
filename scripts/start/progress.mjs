/** @type {NodeJS.WriteStream} */
let output = process.stdout;

const SHOWN_AFTER_MS = 400;
/** On a terminal, erases the line of the running step. */
export const CLEAR_LINE = '\r\x1b[2K';

/** @param {NodeJS.WriteStream} stream where progress lines go */
export function showProgressOn(stream) {
  output = stream;
}

/**
 * Prints text. On a terminal it replaces the line of the running step, which is printed again below.
 *
 * @param {string} text
 */
export function say(text) {
  output.write(`${output.isTTY ? CLEAR_LINE : ''}${text}\n`);
}

/**
 * Runs a step and shows its progress: on a terminal, a line that counts the seconds; elsewhere, a line once the step is
 * slow. Then prints the result.
 *
 * @param {string} doing the step in progress, "Installing packages"
 * @param {() => Promise<string | null>} work resolves to the line to print; null prints nothing
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
