import { database } from '@/lib/platform/db';
import { runInBatches } from '@/lib/retention/cleanup/batches';
import type { CleanupStep, JobRun } from '@/lib/retention/jobs/job-run';
import { type RunJobOptions, runJob } from '@/lib/retention/jobs/run-job';
import { waitFor } from '@/tests/http/receiver';

type Clean = (run: JobRun) => Promise<void>;

/** Makes a step that runs in each cell, cleans like this and previews nothing. */
export const stepInCells = (name: string, clean: Clean): CleanupStep => ({ name, clean, preview: async () => ({}) });

/** Makes a step that runs once, cleans like this and previews nothing. */
export const step = (name: string, clean: Clean): CleanupStep => ({ ...stepInCells(name, clean), isShared: true });

/** Makes a step that fails. */
export const failing = (name: string, message: string) => step(name, () => Promise.reject(new Error(message)));

/** Makes a step that never ends by itself, and tells when it has begun. */
export function makeEndless() {
  const state = { hasBegun: false };
  const endless = step('endless', (run) =>
    runInBatches(run, async () => {
      state.hasBegun = true;
      return true;
    }),
  );
  return { endless, untilBegun: () => waitFor('the endless step', () => state.hasBegun) };
}

/** Runs the main job. */
export const run = (options: RunJobOptions) => runJob('main', { now: new Date('2026-05-01T02:00:00Z'), ...options });

/** Returns the rows of all runs, oldest first. */
export async function readRuns() {
  const { rows } = await database().query('SELECT * FROM retention_runs ORDER BY id');
  return rows;
}
