import { SECOND_MS } from '@/lib/platform/clock';
import { once } from '@/lib/platform/globals';

const ACTIVE_MS = SECOND_MS;

/** The two owners of organizations that were last active, and when by performance.now(). */
const state = () =>
  once('active-owners', () => ({ last: '', lastAtMs: Number.NEGATIVE_INFINITY, otherAtMs: Number.NEGATIVE_INFINITY }));

/** Notes that a process works for an owner of organizations. */
export function noteActive(owner: string): void {
  const active = state();
  if (owner !== active.last) active.otherAtMs = active.lastAtMs;
  active.last = owner;
  active.lastAtMs = performance.now();
}

/** Returns whether this process has worked for nobody else during the last second. */
export function isAlone(owner: string): boolean {
  const { last, lastAtMs, otherAtMs } = state();
  return performance.now() - (owner === last ? otherAtMs : lastAtMs) > ACTIVE_MS;
}
