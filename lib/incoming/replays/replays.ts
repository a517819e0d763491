import type { ProjectCaller } from '@/lib/audit/caller';
import { auditChange } from '@/lib/audit/record-audit';
import { countToStart, whileStartIsCounted } from '@/lib/delivery/deliveries/count-deliveries';
import { replayScan } from '@/lib/incoming/incoming-events/incoming-event-scan-sql';
import { type CreateReplayBody, Replay } from '@/lib/incoming/schema';
import { getSourceRow } from '@/lib/incoming/sources/sources';
import { lockProject } from '@/lib/orgs/projects';
import { organizationOf, ownerOfProject } from '@/lib/orgs/tenant';
import { AppError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { type Listing, newestFirst, type Page, toListing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { IncomingEventReplay as ReplayRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction, type Transaction } from '@/lib/platform/prisma/transaction';
import { chooseDestinations } from './replay-incoming-event';
import { deleteOldReplays, notifyReplays } from './replays-sql';

/** Lists the replays of a project, newest first. */
export async function listReplays(projectId: string, page: Page): Promise<Listing<Replay>> {
  const rows = await prisma().incomingEventReplay.findMany(newestFirst({ projectId }, page));
  return toListing(rows, page.limit, presentReplay);
}

/** Reads a replay of a project. @throws AppError not_found */
export async function getReplay(projectId: string, replayId: string): Promise<Replay> {
  return presentReplay(await getReplayRow(prisma(), projectId, replayId));
}

/** Reads the row of a replay. @throws AppError not_found */
async function getReplayRow(db: PrismaQueries, projectId: string, replayId: string): Promise<ReplayRow> {
  const row = await db.incomingEventReplay.findFirst({ where: { id: replayId, projectId } });
  if (row === null) throw notFound('replay');
  return row;
}

/**
 * Cancels a running replay. The deliveries that it has queued are still sent. Does not change a finished replay.
 * @throws AppError not_found
 */
export async function cancelReplay(caller: ProjectCaller, projectId: string, replayId: string): Promise<Replay> {
  return inTransaction(async (tx) => {
    await getReplayRow(tx.prisma, projectId, replayId);
    const { count } = await tx.prisma.incomingEventReplay.updateMany({
      where: { id: replayId, projectId, status: 'RUNNING' },
      data: { status: 'CANCELED', completedAt: new Date() },
    });
    if (count > 0) {
      await auditChange(tx, caller, 'replay.canceled', replayId, { projectId });
    }
    return presentReplay(await getReplayRow(tx.prisma, projectId, replayId));
  });
}

/** Converts a row to a replay of the API. */
export function presentReplay(
  row: Omit<ReplayRow, 'ownerId' | 'lastIncomingEventId' | 'nextBatchAt' | 'tryBeganAt'>,
): Replay {
  return present(Replay, { ...row, from: row.createdFrom, to: row.createdTo });
}

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
  caller: ProjectCaller,
  projectId: string,
  { sourceId, destinationId, from, to: until }: CreateReplayBody,
  at: Date,
): Promise<Replay> {
  // Later events are forwarded as they arrive, and a replay that included them might never end.
  const to = until !== undefined && until < at ? until : at;
  const create = async (tx: Transaction, total: number, ownerId: string) => {
    await lockProject(tx, projectId);
    await getSourceRow(tx.prisma, { projectId, sourceId });
    await chooseDestinations(tx, projectId, sourceId, destinationId ?? null);
    if ((await tx.prisma.incomingEventReplay.count({ where: { projectId, status: 'RUNNING' } })) >= MAX_RUNNING) {
      const detail = `This project already has ${MAX_RUNNING} replays running. Wait for one to finish, or cancel one.`;
      throw new AppError('conflict', detail);
    }
    const row = await tx.prisma.incomingEventReplay.create({
      data: {
        id: newId(),
        projectId,
        ownerId,
        sourceId,
        destinationId: destinationId ?? null,
        total,
        createdFrom: from ?? null,
        createdTo: to,
        createdAt: at,
        ...(total === 0 ? { status: 'COMPLETED', completedAt: at } : {}),
      },
    });
    await deleteOldReplays.run(tx, { project: projectId });
    await notifyReplays.run(tx);
    await auditChange(tx, caller, 'replay.created', row.id, { projectId, sourceId, total });
    return presentReplay(row);
  };
  const project = { projectId, organizationId: organizationOf(caller) };
  const { total, ownerId } = await whileStartIsCounted(project, async () => {
    await getSourceRow(prisma(), { projectId, sourceId });
    const scan = replayScan({ projectId, sourceId, from, to });
    // Without the lock: counting takes seconds, and a deletion would wait for it.
    const total = await countToStart(scan, 'incoming events', 'Choose a shorter time range.');
    return { total, ownerId: await ownerOfProject(projectId) };
  });
  return inTransaction((tx) => create(tx, total, ownerId));
}
