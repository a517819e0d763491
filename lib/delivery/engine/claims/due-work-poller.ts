import { deliveryLease } from '@/lib/delivery/engine/lease';
import type { EventRef, LeasedDelivery } from '@/lib/delivery/engine/types';
import { LOWEST_ID } from '@/lib/delivery/pending';
import { projectOfTurn, turnIdOf } from '@/lib/events/turn-key';
import { SECOND_MS } from '@/lib/platform/clock';
import { isStatementCanceled } from '@/lib/platform/database-errors';
import type { Sql } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import {
  type ClaimedRow,
  endLeases,
  FIRST_POLL_ROWS,
  findPendingProjects,
  leaseDue,
  MAX_PROJECTS,
  pollDueWork,
  searchTargets,
  searchTurns,
} from './claim-sql';
import { BEGINNING, LowWatermarks } from './low-watermarks';
import { OwnerSearch } from './owner-search';

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
    customerId: null,
    turn: row.project_id,
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
  /** Keys of the turns with due outbox rows. */
  turns: string[];
  /** In how many milliseconds to poll again for what it could not look at; null when there is no such thing. */
  againInMs: number | null;
  /** How often the worst due row of the quarantine has been taken; null if none is due. */
  quarantinedTakes: number | null;
}

/** How soon a poll goes on that could not look at all of the outbox: thousands of customers a second, for a tenth of the database's time. */
const NEXT_SEARCH_MS = 200;
/** Turns and targets that one search looks at, about: 20 ms each. */
const MAX_TURNS = 1_000;
const MAX_TARGETS = 5_000;

/**
 * Finds due work that no notification may have announced. A poll is cheap while little is due. If much is due, one poll a second looks at
 * up to 5,000 targets one by one, and the polls in between find the targets of the oldest and newest due deliveries.
 */
export class DueWorkPoller {
  private nextProbeAt = Number.NEGATIVE_INFINITY;
  private readonly outboxProjects = new ProjectPages();
  private readonly pendingProjects = new ProjectPages();
  private readonly turns: OwnerSearch;
  private readonly targets: OwnerSearch;

  /** @param ownerOf returns the owner of a project, as far as it is known */
  constructor(
    private readonly watermarks = new LowWatermarks(),
    private readonly probeIntervalMs = SECOND_MS,
    ownerOf = (projectId: string) => projectId,
  ) {
    this.turns = new OwnerSearch(searchTurns, MAX_TURNS, ownerOf);
    this.targets = new OwnerSearch(searchTargets, MAX_TARGETS, ownerOf);
  }

  async poll(sql: Sql): Promise<DueWork> {
    const row = await pollDueWork.one(sql, {
      afterProject: this.outboxProjects.after,
      outboxSince: this.watermarks.outbox,
      since: this.watermarks.deliveries,
    });
    const projects = this.outboxProjects.next(row.projects);
    const { due: turns, isMore } = await this.turns.find(sql, projects, this.watermarks.outbox);
    const isAll = row.due_rows < FIRST_POLL_ROWS;
    const found = toTargets(row.due_targets);
    const isProbing = !isAll && performance.now() >= this.nextProbeAt;
    return {
      targets: isProbing ? await this.probeEachTarget(sql, found) : found,
      isAll,
      nextDueMs: row.next_due_ms,
      turns,
      againInMs:
        isMore || this.outboxProjects.isCut ? NEXT_SEARCH_MS : isAll ? null : this.nextProbeAt - performance.now(),
      quarantinedTakes: row.quarantined_takes,
    };
  }

  /** @param otherwise what is returned when the search takes too long, so that other due work does not wait for it */
  private async probeEachTarget(sql: Sql, otherwise: DueTarget[]): Promise<DueTarget[]> {
    const startedAt = performance.now();
    const since = this.watermarks.deliveries;
    const found = await findPendingProjects
      .one(sql, { afterProject: this.pendingProjects.after, since })
      .then((row) => this.targets.find(sql, this.pendingProjects.next(row.projects), since))
      .catch((error: unknown) => {
        if (!isStatementCanceled(error)) throw error;
        log().warn({ err: error }, 'the search for targets with due deliveries took too long');
        return null;
      });
    const now = performance.now();
    const isCut = found !== null && (found.isCut || this.pendingProjects.isCut);
    // A search of 100,000 targets takes a fifth of the time of one connection, and not 20 s.
    this.nextProbeAt = now + (isCut ? Math.min(this.probeIntervalMs, 4 * (now - startedAt)) : this.probeIntervalMs);
    if (found === null) return otherwise;
    return [...otherwise, ...found.due.map((key) => ({ targetId: turnIdOf(key), projectId: projectOfTurn(key) }))];
  }
}

/** Goes through projects by id, in pages of MAX_PROJECTS. */
class ProjectPages {
  /** The next page begins after it. */
  after = LOWEST_ID;

  /** Whether the last page was not the last one. */
  get isCut(): boolean {
    return this.after !== LOWEST_ID;
  }

  /** @param found comma-separated ids */
  next(found: string): string[] {
    const projects = found === '' ? [] : found.split(',');
    this.after = projects.length < MAX_PROJECTS ? LOWEST_ID : (projects.at(-1) ?? LOWEST_ID);
    return projects;
  }
}

function toTargets(pairs: string | null): DueTarget[] {
  if (pairs === null) return [];
  return pairs.split(',').map((pair) => {
    const [targetId = '', projectId = ''] = pair.split(':');
    return { targetId, projectId };
  });
}
