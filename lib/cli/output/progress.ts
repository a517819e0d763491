import type { Terminal } from '@/lib/cli/terminal';
import { sanitize } from '@/lib/platform/terminal/sanitize';
import { cutToWidth } from './table';

const REDRAW_MS = 100;
const CLEAR_LINE = '\r\x1b[2K';

/** A line on a terminal's standard error that says how far long work is. Elsewhere it writes nothing. */
export class Progress {
  #isShown = false;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly terminal: Terminal) {}

  /** Replaces the line, at most ten times a second. */
  show(text: string): void {
    const { stderr, env } = this.terminal;
    if (!stderr.isTTY || env.TERM === 'dumb') return;
    const now = performance.now();
    if (now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    this.#isShown = true;
    stderr.write(`${CLEAR_LINE}${cutToWidth(sanitize(text), stderr.columns - 1)}`);
  }

  /** Removes the line. Call it before other text is written. */
  clear(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#drawnAt = Number.NEGATIVE_INFINITY;
    this.terminal.stderr.write(CLEAR_LINE);
  }
}
