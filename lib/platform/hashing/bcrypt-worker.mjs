import bcrypt from 'bcryptjs';

/** Runs in a worker thread of ./passwords.ts: a hash at cost 12 takes some 360 ms of CPU. */

/** @param {{ password: string, cost: number }} task @returns {string} */
export function hash({ password, cost }) {
  return bcrypt.hashSync(password, cost);
}

/** @param {{ password: string, against: string }} task @returns {boolean} */
export function compare({ password, against }) {
  return bcrypt.compareSync(password, against);
}
