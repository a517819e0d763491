import { readdirSync, readFileSync } from 'node:fs';

export const PARTS = ['web', 'worker', 'retention', 'supervisor', 'postgres'] as const;
/** The part that a process belongs to. `supervisor` is `npm start` itself and all other processes. */
type Part = (typeof PARTS)[number];

interface TreeProcess {
  pid: number;
  part: Part;
  /** User and system time of the process, in clock ticks. */
  ownTicks: number;
  /** The time of its exited descendants, in clock ticks. */
  endedTicks: number;
}

type Row = Omit<TreeProcess, 'part'> & { ppid: number; name: string };

/** Lists a process and its running descendants, from /proc. Linux only. */
export function listProcessTree(rootPid: number): TreeProcess[] {
  const childrenOf = new Map<number, Row[]>();
  const rows = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => readRow(Number(entry)) ?? []);
  for (const row of rows) childrenOf.set(row.ppid, [...(childrenOf.get(row.ppid) ?? []), row]);
  const family = rows.filter(({ pid }) => pid === rootPid);
  for (const { pid } of family) family.push(...(childrenOf.get(pid) ?? []));
  return family.map(({ pid, name, ownTicks, endedTicks }) => ({ pid, part: partOf(pid, name), ownTicks, endedTicks }));
}

/** Returns null when the process has just exited. */
function readRow(pid: number): Row | null {
  const text = readProc(`${pid}/stat`);
  if (text === '') return null;
  // The name is in parentheses and may contain any character; numbers follow it.
  const nameEnd = text.lastIndexOf(')');
  const fields = text
    .slice(nameEnd + 2)
    .split(' ')
    .map(Number);
  const [ppid = 0, userTicks = 0, systemTicks = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (index) => fields[index],
  );
  const name = text.slice(text.indexOf('(') + 1, nameEnd);
  return { pid, ppid, name, ownTicks: userTicks + systemTicks, endedTicks: endedUser + endedSystem };
}

function partOf(pid: number, name: string): Part {
  if (name === 'postgres') return 'postgres';
  return (/\/(web|worker|retention)\.mjs/.exec(readProc(`${pid}/cmdline`))?.[1] as Part | undefined) ?? 'supervisor';
}

/** Reads a file of /proc; empty when the process has exited. */
function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, 'latin1');
  } catch {
    return '';
  }
}

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
    return (
      threads.reduce((sum, thread) => sum + Number(readProc(`${pid}/task/${thread}/schedstat`).split(' ')[0]), 0) / 1e6
    );
  } catch {
    return 0;
  }
}

function pssMib(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readProc(`${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;
}

/** Returns the resident memory of a process in MB: current (`VmRSS`) or peak (`VmHWM`); 0 when it has exited. Linux only. */
export function residentMb(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readProc(`${pid}/status`))?.[1] ?? 0) / 1024;
}

const SAMPLE_MS = 50;

/** Samples the resident memory of a process. `peakMb` returns the maximum since its last call. */
export function watchMemory(pid: number | undefined): { nowMb(): number; peakMb(): number } {
  const nowMb = () => residentMb(pid, 'VmRSS');
  let peak = 0;
  const sample = () => {
    peak = Math.max(peak, nowMb());
  };
  setInterval(sample, SAMPLE_MS).unref();
  return {
    nowMb,
    peakMb() {
      sample();
      const most = peak;
      peak = 0;
      return most;
    },
  };
}
