import { CLEAR_LINE, say, showProgressOn } from '@/scripts/start/progress.mjs';

const SHOWN_EVERY_MS = 200;
const MEGABYTE = 1024 * 1024;

interface Amount {
  bytes: number;
  /** May be an estimate. */
  totalBytes: number;
}

/**
 * Runs work and shows on a terminal how far it is, in one line of standard error. Elsewhere it prints nothing.
 * @param doing "Checking the backup"
 */
export async function withProgress<T>(doing: string, work: (show: (amount: Amount) => void) => Promise<T>): Promise<T> {
  showProgressOn(process.stderr);
  const { isTTY } = process.stderr;
  let shownAt = Number.NEGATIVE_INFINITY;
  const show = ({ bytes, totalBytes }: Amount) => {
    if (!isTTY || performance.now() - shownAt < SHOWN_EVERY_MS) return;
    shownAt = performance.now();
    const share = totalBytes > 0 ? ` (${Math.min(99, Math.floor((bytes / totalBytes) * 100))} %)` : '';
    process.stderr.write(`${CLEAR_LINE}  … ${doing}: ${(bytes / MEGABYTE).toFixed(0)} MB${share}`);
  };
  try {
    show({ bytes: 0, totalBytes: 0 });
    return await work(show);
  } finally {
    if (isTTY) process.stderr.write(CLEAR_LINE);
  }
}

/** Prints a line for a step that is done. */
export function sayDone(line: string): void {
  say(`  ✓ ${line}`);
}

/** Prints a line that needs attention. */
export function sayNotice(line: string): void {
  say(`  ! ${line}`);
}
