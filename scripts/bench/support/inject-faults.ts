import { setTimeout as sleep } from 'node:timers/promises';
import type { FreezingProxy } from './freezing-proxy';
import type { PartTracker } from './part-tracker';
import type { FaultKind, PlannedFault } from './plan-faults';
import type { SupervisedPostgres } from './supervised-postgres';

const HOLD_NEW_MS = 5_000;
/** How long to wait while every process that could be killed is down. */
const RETRY_MS = 200;

export interface Fault {
  kind: FaultKind;
  /** Milliseconds since 1970. */
  at: number;
}

/** What faults act on. */
export interface FaultTargets {
  proxy: FreezingProxy;
  postgres: SupervisedPostgres;
  parts: PartTracker;
}

/** Injects each planned fault at its time, counted from now, until the signal aborts. Appends what it did to `faults`. */
export async function injectFaults(
  plan: readonly PlannedFault[],
  targets: FaultTargets,
  faults: Fault[],
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  for (const planned of plan) {
    let waitMs = Math.max(0, started + planned.atMs - performance.now());
    for (let kind: FaultKind | undefined; kind === undefined; waitMs = RETRY_MS) {
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const at = performance.timeOrigin + performance.now();
      kind = planned.kinds.find((each) => inject(each, planned.freezeMs, targets));
      if (kind !== undefined) faults.push({ kind, at });
    }
  }
}

/** @returns false when the process to kill is down */
function inject(kind: FaultKind, freezeMs: number, { proxy, postgres, parts }: FaultTargets): boolean {
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
