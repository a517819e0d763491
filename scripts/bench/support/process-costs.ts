import { readdirSync, readFileSync } from 'node:fs';
import { type FamilyMember, listFamily, PARTS, type Part } from './process-family';

/** The kernel reports process times in hundredths of a second on every Linux. */
const TICK_MS = 10;

export type ByPart = Record<Part, number>;

/**
 * Processor time that a process and its descendants have used so far, in milliseconds by part. Descendants that have ended
 * count: their time lives on in the process that waited for them.
 */
export function cpuMsByPart(rootPid: number): ByPart {
  return sumByPart(rootPid, (member) => ownCpuMs(member) + member.endedTicks * TICK_MS);
}

/** Proportional set size (a shared page counts once over all processes), in MiB by part. */
export function pssMibByPart(rootPid: number): ByPart {
  return sumByPart(rootPid, ({ pid }) => pssMib(pid));
}

/** What each part has gained between two readings. */
export function gainByPart(before: ByPart, after: ByPart): ByPart {
  return fromParts((part) => after[part] - before[part]);
}

export function totalOf(values: ByPart): number {
  return PARTS.reduce((sum, part) => sum + values[part], 0);
}

/** A record with a value for each part. */
export function fromParts(measure: (part: Part) => number): ByPart {
  return Object.fromEntries(PARTS.map((part) => [part, measure(part)])) as ByPart;
}

function sumByPart(rootPid: number, measure: (member: FamilyMember) => number): ByPart {
  const sums = fromParts(() => 0);
  for (const member of listFamily(rootPid)) sums[member.part] += measure(member);
  return sums;
}

/** The threads' own clocks are exact but leave out threads that have ended; the ticks hold those and are rounded down. */
function ownCpuMs({ pid, ownTicks }: FamilyMember): number {
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
