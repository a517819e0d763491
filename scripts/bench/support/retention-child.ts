import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Stack } from './stack';

const SAMPLE_MS = 50;

/** The retention windows in days, which determine how much a run removes. */
export interface KeptDays {
  failures: number;
  successes: number;
  events: number;
}

export interface MainRun {
  durationMs: number;
  /** Peak resident memory of the process, from /proc. Linux only. */
  peakMb: number;
  rowsRemoved: Record<string, number>;
  partitionsDropped: number;
  /** What failed, such as dropping a partition in use. */
  error: string | null;
}

/** Runs `npm run retention -- main` in a separate process, as a container does. */
export async function runMain(stack: Stack, { failures, successes, events }: KeptDays): Promise<MainRun> {
  const env = {
    ...stack.environment,
    DATA_RETENTION_ATTEMPTS_DAYS: String(failures),
    DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS: String(successes),
    DATA_RETENTION_EVENTS_DAYS: String(events),
  };
  const startedAt = performance.now();
  const child = spawn(process.execPath, [path.resolve('.build/retention.mjs'), 'main'], {
    env: env as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [printed, peakMb] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, readPeakMb(child.pid));
  }, SAMPLE_MS);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(sampling);
  if (!printed.trimStart().startsWith('{'))
    throw new Error(`the run exited with ${code} without a summary: ${printed}`);
  const { rowsRemoved, partitionsDropped, error } = JSON.parse(printed) as MainRun;
  return { durationMs: performance.now() - startedAt, peakMb, rowsRemoved, partitionsDropped, error };
}

/** Reads the peak memory that the kernel tracks. Returns 0 when the process has exited. */
function readPeakMb(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
