import { readFileSync } from 'node:fs';

/** Resident memory of a process in MB: now (`VmRSS`), or the most it ever had (`VmHWM`). Linux only. */
export function residentMb(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}
