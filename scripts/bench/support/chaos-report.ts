import { allLatencies, compareArrivals, describeSpread, formatMs } from './latencies';
import type { RunResult } from './paced-sender';
import type { PendingRows } from './pending-rows';
import { FAULT_KINDS } from './plan-faults';
import type { RawReport } from './raw-receiver';
import type { Recovery } from './recoveries';
import { checkValue } from './report';
import { quantile } from './stats';

const [RECOVERY_TARGET_S, SLOW_SHOWN, MEANWHILE_SHOWN] = [15, 20, 5];

export interface ChaosFigures {
  faultsPlanned: number;
  recoveries: Recovery[];
  sent: RunResult;
  received: RawReport;
  left: PendingRows;
}

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Prints the figures. @returns the ids of the events that got 202 and did not arrive */
export function reportChaos({ faultsPlanned, recoveries, sent, received, left }: ChaosFigures): string[] {
  checkValue('faults', recoveries.length, { atLeast: faultsPlanned });
  for (const kind of FAULT_KINDS) {
    const times = recoveries.filter((recovery) => recovery.kind === kind).map(({ recoveryMs }) => recoveryMs);
    if (times.length > 0)
      print(`  ${kind.padEnd(26)} ${String(times.length).padStart(3)}: recovery ${describeSpread(times)}`);
  }
  const worstS = quantile(
    recoveries.map(({ recoveryMs }) => recoveryMs / 1_000),
    1,
  );
  checkValue('worst recovery', worstS, { atMost: RECOVERY_TARGET_S }, ' s');
  const afterLastMs = recoveries.map(({ at, recoveryMs, meanwhile }) => at + recoveryMs - (meanwhile.at(-1)?.at ?? at));
  print(`  from the last fault before the recovery: ${describeSpread(afterLastMs)}`);
  const slow = recoveries.filter(({ recoveryMs }) => recoveryMs > RECOVERY_TARGET_S * 1_000);
  for (const recovery of slow.slice(0, SLOW_SHOWN)) print(describeSlow(recovery));
  const latencies = compareArrivals(sent.accepted, new Map(received.seen));
  print(`events with 202: ${sent.accepted.length}, without a response: ${sent.unanswered}, not sent: ${sent.skipped}`);
  print(`first POST to 202: ${describeSpread(sent.accepted.map(([, firstAt, acceptedAt]) => acceptedAt - firstAt))}`);
  print(`202 to receiver: ${describeSpread(allLatencies(latencies))}`);
  checkValue('events rejected for a reason other than a fault', Object.keys(sent.refused).length, { atMost: 0 });
  if (Object.keys(sent.refused).length > 0) print(`  ${JSON.stringify(sent.refused)}`);
  checkValue('events with 202 that did not arrive', latencies.missing.length, { atMost: 0 });
  const share = ((received.repeated / received.events) * 100).toFixed(2);
  print(`events received more than once: ${received.repeated} (${share} %), requests ${received.requests}`);
  checkValue('rows left in the outbox', left.outbox, { atMost: 0 });
  checkValue('deliveries left pending', left.deliveries, { atMost: 0 });
  return latencies.missing;
}

/** Describes a slow recovery and the faults during it. */
function describeSlow({ kind, at, recoveryMs, meanwhile }: Recovery): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const others = meanwhile
    .slice(0, MEANWHILE_SHOWN)
    .map((other) => `${other.kind} after ${((other.at - at) / 1_000).toFixed(1)} s`);
  return [`  ${time} ${kind}: ${formatMs(recoveryMs)}`, ...others].join(', ');
}
