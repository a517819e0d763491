import os from 'node:os';
import bcrypt from 'bcryptjs';

/** Runs in a worker thread of ./passwords.ts: a hash at cost 12 takes some 360 ms of CPU. */

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
 * Hashing takes the CPU that the event loop and the database leave: on a small machine with every core busy, sign-ins
 * would otherwise slow every other request down several times. On Linux a priority is a thread's own; elsewhere it is
 * the whole process's, and stays as it is. A system that forbids it still has its passwords hashed.
 */
function yieldToOthers() {
  if (process.platform !== 'linux') return;
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = os.constants.priority;
  try {
    os.setPriority(Math.min(PRIORITY_LOW, os.getPriority() + PRIORITY_BELOW_NORMAL));
  } catch {
    return;
  }
}
