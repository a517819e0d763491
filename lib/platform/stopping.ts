import { once } from '@/lib/platform/globals';

/** Both copies of lib/ in a web process find it: see globals.ts. */
function state(): { isStopping: boolean } {
  return once('stopping', () => ({ isStopping: false }));
}

/** Whether this process was told to stop. It may still serve: readiness fails first. */
export function isStopping(): boolean {
  return state().isStopping;
}

/** Marks this process as stopping, for good. */
export function markStopping(): void {
  state().isStopping = true;
}
