import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in MB: current (`VmRSS`) or peak (`VmHWM`). Linux only. */
export function residentMb(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}
