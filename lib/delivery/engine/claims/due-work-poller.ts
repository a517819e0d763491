import { deliveryLease } from '@/lib/delivery/engine/lease';
import type { EventRef, LeasedDelivery } from '@/lib/delivery/engine/types';
import { SECOND_MS } from '@/lib/platform/clock';
import { isStatementCanceled } from '@/lib/platform/database-errors';
import type { Sql } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import {
  type ClaimedRow,
  endLeases,
  FIRST_POLL_ROWS,
  leaseDue,
  MAX_PROJECTS,
  pollDueWork,
  probeTargets,
} from './claim-sql';
import { BEGINNING, LowWatermarks } from './low-watermarks';

/**
 * Leases due deliveries: it moves `next_attempt_at` to the end of the lease. So no worker sees them until then, and a dead worker
 * leaves no state that must be cleaned up.
 *
 * @param wanted how many deliveries at most, by target
 * @param bytes content of all deliveries at most
 * @param since nothing is due before it
 * @returns also whether the limit of bytes has left some due
 */
export async function claimDue(
  sql: Sql,
  wanted: ReadonlyMap<string, number>,
  bytes: number,
  since = BEGINNING,
): Promise<{ jobs: LeasedDelivery[]; isTruncated: boolean }> {
  const lease = deliveryLease();
  const rows = await leaseDue.all(sql, {
    targets: [...wanted.keys()],
    limits: [...wanted.values()],
    since,
    leaseSeconds: lease.seconds,
    maxBytes: bytes,
  });
  return { jobs: rows.map((row) => toJob(row, lease.endsAt)), isTruncated: (rows[0]?.due ?? 0) > rows.length };
}

function toJob(row: ClaimedRow, leaseEndsAt: number): LeasedDelivery {
  const source: EventRef = { eventId: row.event_id, incomingEventId: row.incoming_event_id };
  return {
    deliveryId: row.id,
    projectId: row.project_id,
    targetId: row.target_id,
    targetKind: row.event_id === null ? 'destination' : 'endpoint',
    source,
    attemptNumber: row.attempt_count + 1,
    scheduleStep: row.schedule_step,
    leaseEndsAt,
    leasedAt: performance.now(),
    entry: null,
    storing: null,
  };
}

/**
 * Ends leases of this worker, so that any worker can claim the deliveries at once. Deliveries whose attempt has been recorded are
 * left alone.
 */
export async function releaseLeases(sql: Sql, jobs: readonly LeasedDelivery[]): Promise<void> {
  if (jobs.length === 0) return;
  await endLeases.run(sql, {
    deliveries: jobs.map(({ deliveryId }) => deliveryId),
    attemptNumbers: jobs.map(({ attemptNumber }) => attemptNumber),
  });
}

interface DueTarget {
  targetId: string;
  projectId: string;
}

interface DueWork {
  /** Targets with due deliveries. */
  targets: DueTarget[];
  /** Whether these are all of them. */
  isAll: boolean;
  /** Milliseconds until the next delivery becomes due; null if none will. */
  nextDueMs: number | null;
  /** Projects with due outbox rows. */
  projects: string[];
  /** How often the worst due row of the quarantine has been taken; null if none is due. */
  quarantinedTakes: number | null;
  isMailDue: boolean;
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Finds due work that no notification may have announced. A poll is cheap while little is due. If much is due, one poll a second
 * probes each of up to 5,000 targets, and the polls in between find the targets of the oldest and newest due deliveries.
 */
export class DueWorkPoller {
  private nextProbeAt = Number.NEGATIVE_INFINITY;
  private from = LOWEST_ID;
  private fromProject = LOWEST_ID;

  constructor(
    private readonly watermarks = new LowWatermarks(),
    private readonly probeIntervalMs = SECOND_MS,
  ) {}

  async poll(sql: Sql): Promise<DueWork> {
    const row = await pollDueWork.first(sql, {
      afterProject: this.fromProject,
      outboxSince: this.watermarks.outbox,
      since: this.watermarks.deliveries,
    });
    if (row === undefined) throw new Error('the poll returned no row');
    const projects = row.due_projects === '' ? [] : row.due_projects.split(',');
    this.fromProject = projects.length < MAX_PROJECTS ? LOWEST_ID : (projects.at(-1) ?? LOWEST_ID);
    const isAll = row.due_rows < FIRST_POLL_ROWS;
    const found = toTargets(row.due_targets);
    return {
      targets: isAll || performance.now() < this.nextProbeAt ? found : await this.probeEachTarget(sql, found),
      isAll,
      nextDueMs: row.next_due_ms,
      projects,
      quarantinedTakes: row.quarantined_takes,
      isMailDue: row.mail_due,
    };
  }

  /** @param otherwise what is returned when the probe takes too long, so that other due work does not wait for it */
  private async probeEachTarget(sql: Sql, otherwise: DueTarget[]): Promise<DueTarget[]> {
    const wanted = { afterTarget: this.from, since: this.watermarks.deliveries };
    const row = await probeTargets.first(sql, wanted).catch((error: unknown) => {
      if (!isStatementCanceled(error)) throw error;
      log().warn({ err: error }, 'the search for targets with due deliveries took too long');
      return null;
    });
    this.nextProbeAt = performance.now() + this.probeIntervalMs;
    if (row === null) return otherwise;
    this.from = row?.resume_after ?? LOWEST_ID;
    return toTargets(row?.due_targets ?? null);
  }
}

function toTargets(pairs: string | null): DueTarget[] {
  if (pairs === null) return [];
  return pairs.split(',').map((pair) => {
    const [targetId = '', projectId = ''] = pair.split(':');
    return { targetId, projectId };
  });
}
