import os from 'node:os';
import bcrypt from 'bcryptjs';

/** Runs in a worker thread of ./hash-threads.ts: a hash at cost 12 takes some 360 ms of CPU. */

const NICENESS = 2;

yieldToOthers();

/** @param {{ password: string, cost: number }} task @returns {string} */
export function hash({ password, cost }) {
  return bcrypt.hashSync(password, cost);
}

/** @param {{ password: string, against: string }} task @returns {boolean} */
export function compare({ password, against }) {
  return bcrypt.compareSync(password, against);
}

/**
 * Requests come before hashes, but other processes that keep every core busy do not end all sign-ins; see ./hash-threads.ts
 * for what was measured. On Linux a priority is a thread's own; elsewhere it belongs to the entire process, and stays as it is. A
 * system that forbids it still has its passwords hashed.
 */
function yieldToOthers() {
  if (process.platform !== 'linux') return;
  try {
    os.setPriority(Math.min(os.constants.priority.PRIORITY_LOW, os.getPriority() + NICENESS));
  } catch {
    return;
  }
}
