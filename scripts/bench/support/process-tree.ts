import { readdirSync, readFileSync } from 'node:fs';

export const PARTS = ['web', 'worker', 'retention', 'supervisor', 'postgres'] as const;
/** The part that a process belongs to. `supervisor` is `npm start` itself and all other processes. */
export type Part = (typeof PARTS)[number];

export interface TreeProcess {
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
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
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
  } catch {
    return null;
  }
}

function partOf(pid: number, name: string): Part {
  if (name === 'postgres') return 'postgres';
  return (/\/(web|worker|retention)\.mjs/.exec(commandLine(pid))?.[1] as Part | undefined) ?? 'supervisor';
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
