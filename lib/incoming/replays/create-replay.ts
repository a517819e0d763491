import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { whileStarting } from '@/lib/delivery/deliveries/count-deliveries';
import { replayScan } from '@/lib/incoming/incoming-events/incoming-event-scan-sql';
import type { CreateReplayBody, Replay } from '@/lib/incoming/schema';
import { getSourceRow } from '@/lib/incoming/sources/queries';
import { lockProject } from '@/lib/orgs/lock-project';
import { organizationOf } from '@/lib/orgs/organization-of';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { prisma } from '@/lib/platform/prisma/client';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { countMatches, type Scan } from '@/lib/platform/sql/bounded-scan';
import { chooseDestinations } from './replay-incoming-event';
import { presentReplay } from './replays';
import { deleteOldReplays, notifyReplays } from './replays-sql';

/** The most incoming events of one replay, and the most that are looked at to find them. */
const LIMITS = { upTo: 100_000, maxExamined: 120_000 };
/** The most replays of a project that run at once. Workers take turns between them. */
const MAX_RUNNING = 5;

/**
 * Starts to forward the incoming events of a source in a time range again, oldest first. Workers do it in batches;
 * `replayed` shows the progress.
 * @throws AppError not_found; conflict when too many events match, too many replays run, or no destination is enabled;
 *   rate_limited when the project counts for another one, or its organization or owner for two, or the owner has
 *   started 60 within a minute; overloaded
 */
export async function createReplay(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  { sourceId, destinationId, from, to: until }: CreateReplayBody,
  at: Date,
): Promise<Replay> {
  // Later events are forwarded as they arrive, and a replay that included them might never end.
  const to = until !== undefined && until < at ? until : at;
  const create = async (tx: Transaction, total: number) => {
    await lockProject(tx, projectId);
    await getSourceRow(tx.prisma, projectId, sourceId);
    await chooseDestinations(tx, projectId, sourceId, destinationId ?? null);
    await refuseFurtherReplays(tx, projectId);
    const row = await tx.prisma.incomingEventReplay.create({
      data: {
        id: newId(),
        projectId,
        sourceId,
        destinationId: destinationId ?? null,
        total,
        createdFrom: from ?? null,
        createdTo: to,
        createdAt: at,
        ...(total === 0 ? { status: 'COMPLETED', completedAt: at } : {}),
      },
    });
    await deleteOldReplays.run(tx, projectId);
    await notifyReplays.run(tx);
    await recordAudit(tx, caller, {
      action: 'replay.created',
      organizationId: caller.organizationId,
      target: { type: 'replay', id: row.id },
      details: { projectId, sourceId, total },
    });
    return presentReplay(row);
  };
  const project = { projectId, organizationId: organizationOf(caller) };
  return whileStarting(project, async () => {
    await getSourceRow(prisma(), projectId, sourceId);
    // Without the lock: counting takes seconds, and a deletion would wait for it.
    const total = await count(replayScan({ projectId, sourceId, from, to }));
    return inTransaction((tx) => create(tx, total));
  });
}

async function refuseFurtherReplays(tx: Transaction, projectId: string): Promise<void> {
  const running = await tx.prisma.incomingEventReplay.count({ where: { projectId, status: 'RUNNING' } });
  if (running < MAX_RUNNING) return;
  throw new AppError(
    'conflict',
    `This project already has ${MAX_RUNNING} replays running. Wait for one to finish, or cancel one.`,
  );
}

async function count(scan: Scan): Promise<number> {
  const found = await countMatches(database(), scan, LIMITS);
  if (found.isExact) return found.count;
  const { upTo, maxExamined } = LIMITS;
  const reason =
    found.count === upTo
      ? `More than ${upTo.toLocaleString('en-US')} incoming events match.`
      : `The incoming events that match are among more than ${maxExamined.toLocaleString('en-US')} others.`;
  throw new AppError('conflict', `${reason} Choose a shorter time range.`);
}
