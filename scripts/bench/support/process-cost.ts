import { readdirSync, readFileSync } from 'node:fs';
import { listProcessTree, PARTS, type Part, type TreeProcess } from './process-tree';

/** Linux reports process times in hundredths of a second on every platform. */
const TICK_MS = 10;

export type ByPart = Record<Part, number>;

/**
 * Returns the CPU time of a process and its descendants so far, in milliseconds by part. It includes exited descendants,
 * whose time is added to the process that waited for them.
 */
export function cpuMsByPart(rootPid: number): ByPart {
  return sumByPart(rootPid, (member) => ownCpuMs(member) + member.endedTicks * TICK_MS);
}

/** Returns the proportional set size (which counts a shared page once), in MiB by part. */
export function pssMibByPart(rootPid: number): ByPart {
  return sumByPart(rootPid, ({ pid }) => pssMib(pid));
}

/** Returns the difference of two readings, by part. */
export function differenceByPart(before: ByPart, after: ByPart): ByPart {
  return fromParts((part) => after[part] - before[part]);
}

export function totalOf(values: ByPart): number {
  return PARTS.reduce((sum, part) => sum + values[part], 0);
}

/** Returns a record with a value for each part. */
export function fromParts(measure: (part: Part) => number): ByPart {
  return Object.fromEntries(PARTS.map((part) => [part, measure(part)])) as ByPart;
}

function sumByPart(rootPid: number, measure: (member: TreeProcess) => number): ByPart {
  const sums = fromParts(() => 0);
  for (const member of listProcessTree(rootPid)) sums[member.part] += measure(member);
  return sums;
}

/** The clocks of the threads are exact but omit exited threads; the ticks include these but are rounded down. */
function ownCpuMs({ pid, ownTicks }: TreeProcess): number {
  return Math.max(threadsMs(pid), ownTicks * TICK_MS);
}

function threadsMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + threadNs(`/proc/${pid}/task/${thread}/schedstat`), 0) / 1e6;
  } catch {
    return 0;
  }
}

function threadNs(file: string): number {
  try {
    return Number(readFileSync(file, 'latin1').split(' ')[0]);
  } catch {
    return 0;
  }
}

function pssMib(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
