import { setTimeout as sleep } from 'node:timers/promises';
import type { FreezingProxy } from './freezing-proxy';
import type { KeptPostgres } from './kept-postgres';
import type { PartWatch } from './part-watch';
import type { FaultKind, PlannedFault } from './plan-faults';

const HOLD_NEW_MS = 5_000;
/** How long to wait where nothing of what is to be struck is up. */
const VICTIM_BACK_MS = 200;

export interface Fault {
  kind: FaultKind;
  /** Milliseconds since 1970. */
  at: number;
}

/** What faults strike. */
export interface Victims {
  proxy: FreezingProxy;
  postgres: KeptPostgres;
  parts: PartWatch;
}

/** Makes each planned fault at its moment, counted from now, until the signal ends it. `faults` gets what was done. */
export async function injectFaults(
  plan: readonly PlannedFault[],
  victims: Victims,
  faults: Fault[],
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  for (const planned of plan) {
    let waitMs = Math.max(0, started + planned.atMs - performance.now());
    for (let kind: FaultKind | undefined; kind === undefined; waitMs = VICTIM_BACK_MS) {
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const at = performance.timeOrigin + performance.now();
      kind = planned.kinds.find((each) => strike(each, planned.freezeMs, victims));
      if (kind !== undefined) faults.push({ kind, at });
    }
  }
}

/** @returns false when what is to be struck is not there */
function strike(kind: FaultKind, freezeMs: number, { proxy, postgres, parts }: Victims): boolean {
  switch (kind) {
    case 'kill worker':
      return parts.kill('worker');
    case 'kill web':
      return parts.kill('web');
    case 'kill PostgreSQL':
      return postgres.killNow();
    case 'lose connections':
      proxy.lose();
      return true;
    case 'freeze, and hold new ones':
      proxy.holdNew(HOLD_NEW_MS);
      setTimeout(proxy.freeze(), freezeMs).unref();
      return true;
    case 'freeze connections':
      setTimeout(proxy.freeze(), freezeMs).unref();
      return true;
  }
}
