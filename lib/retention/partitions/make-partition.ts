import { SQL_STATE, sqlState } from '@/lib/platform/database-errors';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import type { JobRun } from '@/lib/retention/jobs/job-run';
import { type Attachment, attachPartition, IS_REFUSED } from './attach-partition';
import { withBranchLock } from './branch-lock';
import { closeRange, reopenRanges } from './closed-range';
import { listDays } from './list-partitions';
import { findTable } from './partition-ddl-sql';
import { gapsOf } from './partition-policy';
import type { Branch, DayPartition } from './partitions';

/** What to create: an Attachment without what is found out here. */
export interface NewPartition {
  branch: Branch;
  partition: DayPartition;
  use: Attachment['use'];
  /** Counts the partition and can end the work. */
  run?: JobRun | undefined;
  /** Also ends the work. */
  signal?: AbortSignal | undefined;
  /** The timeout of each statement in milliseconds; LONG_STATEMENT_MS by default. */
  statementTimeoutMs?: number | undefined;
}

/**
 * Creates a partition and moves the default's rows of its period into it, in one transaction: no reader misses a row or sees
 * one twice. Safe during live writes, which wait for little more than DDL_LOCK_TIMEOUT_MS, and when other processes do
 * the same.
 *
 * @returns false when another process was first
 * @throws BranchBusyError
 */
export async function makePartition(wanted: NewPartition): Promise<boolean> {
  const { branch, partition, run } = wanted;
  const signal = wanted.signal ?? run?.signal;
  return withBranchLock(branch, signal, async () => {
    const [gap, ...others] = gapsOf(partition, await listDays(branch));
    const isMissing =
      gap !== undefined && others.length === 0 && +gap.from === +partition.from && +gap.to === +partition.to;
    if (!isMissing) return false;
    const isThere = await isTable(partition);
    const attachment: Attachment = { ...wanted, retries: { signal }, isThere };
    try {
      if (IS_REFUSED.has(wanted.use)) await makeRefused(attachment);
      else await makeOpen(attachment);
    } catch (error) {
      if (!isThere) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        `partitions.${partition.table} is there without being a partition of ${branch.parent}, and cannot become one ` +
          `(${reason}): rename it or drop it`,
        { cause: error },
      );
    }
    return true;
  });
}

async function isTable({ table }: DayPartition): Promise<boolean> {
  return (await findTable.one(database(), `partitions.${table}`)).there;
}

const attach = (attachment: Attachment) =>
  inSqlTransaction((tx) => attachPartition(tx, attachment), {
    statementMs: attachment.statementTimeoutMs ?? LONG_STATEMENT_MS,
  });

async function makeOpen(attachment: Attachment): Promise<void> {
  try {
    await attach(attachment);
  } catch (error) {
    // A row of the period was added to the default at this moment.
    if (attachment.use !== 'ahead' || sqlState(error) !== SQL_STATE.checkViolation) throw error;
    await attach({ ...attachment, use: 'live' });
  }
}

async function makeRefused(attachment: Attachment): Promise<void> {
  const { branch, partition, retries } = attachment;
  await reopenRanges(branch, retries);
  await closeRange(branch, partition, retries);
  try {
    await attach(attachment);
  } catch (error) {
    await reopenRanges(branch, {}).catch((failure: unknown) =>
      log().error({ err: failure, table: branch.defaultTable }, 'part of a default partition stays closed'),
    );
    throw error;
  }
}
