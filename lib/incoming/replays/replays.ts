import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { Replay } from '@/lib/incoming/schema';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { IncomingEventReplay as ReplayRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction } from '@/lib/platform/prisma/transaction';

/** Lists the replays of a project, newest first. */
export async function listReplays(projectId: string, page: Page): Promise<Listing<Replay>> {
  const rows = await prisma().incomingEventReplay.findMany({
    where: { projectId, ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
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
export async function cancelReplay(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  replayId: string,
): Promise<Replay> {
  return inTransaction(async (tx) => {
    await getReplayRow(tx.prisma, projectId, replayId);
    const { count } = await tx.prisma.incomingEventReplay.updateMany({
      where: { id: replayId, projectId, status: 'RUNNING' },
      data: { status: 'CANCELED', completedAt: new Date() },
    });
    if (count > 0) {
      await recordAudit(tx, caller, {
        action: 'replay.canceled',
        organizationId: caller.organizationId,
        target: { type: 'replay', id: replayId },
        details: { projectId },
      });
    }
    return presentReplay(await getReplayRow(tx.prisma, projectId, replayId));
  });
}

/** Converts a row to a replay of the API. */
export function presentReplay(row: Omit<ReplayRow, 'lastIncomingEventId' | 'nextBatchAt'>): Replay {
  return {
    id: row.id,
    sourceId: row.sourceId,
    destinationId: row.destinationId,
    from: row.createdFrom?.toISOString() ?? null,
    to: row.createdTo.toISOString(),
    status: row.status,
    total: row.total,
    replayed: row.replayed,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}
