import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Starts `work` at a fixed rate for `ms` milliseconds, without waiting for what it does.
 *
 * @template T
 * @param {number} perSecond
 * @param {number} ms
 * @param {(index: number) => Promise<T>} work
 * @returns {Promise<T[]>} resolves when all work is done
 */
export async function atPace(perSecond, ms, work) {
  const started = performance.now();
  /** @type {Promise<T>[]} */
  const all = [];
  for (let index = 0; index < (perSecond * ms) / 1000; index++) {
    const waitMs = started + (index * 1000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    all.push(work(index));
  }
  return Promise.all(all);
}
