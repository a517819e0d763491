import type { Replay } from '@/lib/incoming/schema';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { IncomingEventReplay as ReplayRow } from '@/lib/platform/prisma/generated/client';
import { presentReplay } from './present-replay';

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
export async function getReplayRow(db: PrismaQueries, projectId: string, replayId: string): Promise<ReplayRow> {
  const row = await db.incomingEventReplay.findFirst({ where: { id: replayId, projectId } });
  if (row === null) throw notFound('replay');
  return row;
}
