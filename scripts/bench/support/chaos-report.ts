import { reportOnce } from './aims';
import type { RunResult } from './paced-sender';
import { FAULT_KINDS } from './plan-faults';
import type { RawReport } from './raw-receiver';
import type { Recovery } from './recoveries';
import { quantile } from './stats';
import { allWaits, inWords, spread, waitsOf } from './waits';
import type { RowsLeft } from './what-is-left';

const [RECOVERY_AIM_S, SLOW_SHOWN, MEANWHILE_SHOWN] = [15, 20, 5];

export interface ChaosFigures {
  faultsPlanned: number;
  recoveries: Recovery[];
  sent: RunResult;
  received: RawReport;
  left: RowsLeft;
}

const print = (line: string) => process.stdout.write(`${line}\n`);

/** @returns the ids of the events that were answered 202 and never came */
export function reportChaos({ faultsPlanned, recoveries, sent, received, left }: ChaosFigures): string[] {
  reportOnce('faults', recoveries.length, { atLeast: faultsPlanned });
  for (const kind of FAULT_KINDS) {
    const times = recoveries.filter((recovery) => recovery.kind === kind).map(({ recoveryMs }) => recoveryMs);
    if (times.length > 0) print(`  ${kind.padEnd(26)} ${String(times.length).padStart(3)}: recovery ${spread(times)}`);
  }
  const worstS = quantile(
    recoveries.map(({ recoveryMs }) => recoveryMs / 1_000),
    1,
  );
  reportOnce('worst recovery', worstS, { atMost: RECOVERY_AIM_S }, ' s');
  const afterLastMs = recoveries.map(({ at, recoveryMs, meanwhile }) => at + recoveryMs - (meanwhile.at(-1)?.at ?? at));
  print(`  counted from the last fault before it: ${spread(afterLastMs)}`);
  const slow = recoveries.filter(({ recoveryMs }) => recoveryMs > RECOVERY_AIM_S * 1_000);
  for (const recovery of slow.slice(0, SLOW_SHOWN)) print(describeSlow(recovery));
  const waits = waitsOf(sent.accepted, new Map(received.seen));
  print(
    `events answered 202: ${sent.accepted.length}, never answered: ${sent.unanswered}, never sent: ${sent.skipped}`,
  );
  print(`first POST to 202: ${spread(sent.accepted.map(([, firstAt, acceptedAt]) => acceptedAt - firstAt))}`);
  print(`202 to receiver: ${spread(allWaits(waits))}`);
  reportOnce('events refused for another reason than a fault', Object.keys(sent.refused).length, { atMost: 0 });
  if (Object.keys(sent.refused).length > 0) print(`  ${JSON.stringify(sent.refused)}`);
  reportOnce('events answered 202 that never came', waits.missing.length, { atMost: 0 });
  const share = ((received.repeated / received.events) * 100).toFixed(2);
  print(`events that came more than once: ${received.repeated} (${share} %), requests ${received.requests}`);
  reportOnce('rows left in the outbox', left.outbox, { atMost: 0 });
  reportOnce('deliveries left pending', left.deliveries, { atMost: 0 });
  return waits.missing;
}

/** A recovery that took too long, and what else struck before its end. */
function describeSlow({ kind, at, recoveryMs, meanwhile }: Recovery): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const others = meanwhile
    .slice(0, MEANWHILE_SHOWN)
    .map((other) => `${other.kind} after ${((other.at - at) / 1_000).toFixed(1)} s`);
  return [`  ${time} ${kind}: ${inWords(recoveryMs)}`, ...others].join(', ');
}
