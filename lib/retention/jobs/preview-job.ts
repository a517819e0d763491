import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { policyOf } from '@/lib/retention/retention-policy';
import type { JobRun, RetentionJob, RowsByTable } from './job-run';
import { type NamedStep, stepsOf } from './jobs';
import { readTime } from './jobs-sql';

/** What a job would do now. */
export interface JobPreview {
  job: RetentionJob;
  dryRun: true;
  /** The time that decided what had expired, RFC 3339. */
  at: string;
  rowsToRemove: RowsByTable;
  partitionsToCreate: string[];
  partitionsToDrop: string[];
}

/** Returns what a job would do now. Takes no lock, records no run, changes nothing. */
export async function previewJob(
  job: RetentionJob,
  options: { now?: Date; steps?: NamedStep[] } = {},
): Promise<JobPreview> {
  const policy = policyOf(config());
  const now = options.now ?? (await readTime.one(database())).now;
  const run: JobRun = { id: newId(), job, now, policy, signal: new AbortController().signal };
  const preview: JobPreview = {
    job,
    dryRun: true,
    at: now.toISOString(),
    rowsToRemove: {},
    partitionsToCreate: [],
    partitionsToDrop: [],
  };
  for (const { step } of options.steps ?? stepsOf(job, policy)) {
    const { rows = {}, partitionsToCreate = [], partitionsToDrop = [] } = await step.preview(run);
    addRows(preview.rowsToRemove, rows);
    preview.partitionsToCreate.push(...partitionsToCreate);
    preview.partitionsToDrop.push(...partitionsToDrop);
  }
  return preview;
}

function addRows(sum: RowsByTable, rows: RowsByTable): void {
  for (const [table, count] of Object.entries(rows) as [keyof RowsByTable, number][]) {
    if (count > 0) sum[table] = (sum[table] ?? 0) + count;
  }
}
