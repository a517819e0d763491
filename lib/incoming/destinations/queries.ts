import type { Destination } from '@/lib/incoming/schema';
import { getSourceRow } from '@/lib/incoming/sources/queries';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { Destination as DestinationRow } from '@/lib/platform/prisma/generated/client';
import { presentDestination } from './present-destination';

/** The project and the source of a destination. */
export interface DestinationPath {
  projectId: string;
  sourceId: string;
  destinationId: string;
}

/** Lists the destinations of a source, newest first. @throws AppError not_found for the source */
export async function listDestinations(
  projectId: string,
  sourceId: string,
  page: Page,
  at: Date,
): Promise<Listing<Destination>> {
  await getSourceRow(prisma(), projectId, sourceId);
  const rows = await prisma().destination.findMany({
    where: { projectId, sourceId, deletedAt: null, ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
  return toListing(rows, page.limit, (row) => presentDestination(row, at));
}

/** Reads a destination. @throws AppError not_found */
export async function getDestination(path: DestinationPath, at: Date): Promise<Destination> {
  return presentDestination(await getDestinationRow(prisma(), path), at);
}

/** Reads the row of a destination that is not deleted. @throws AppError not_found */
export async function getDestinationRow(
  db: PrismaQueries,
  { projectId, sourceId, destinationId }: DestinationPath,
): Promise<DestinationRow> {
  const row = await db.destination.findFirst({ where: { id: destinationId, sourceId, projectId, deletedAt: null } });
  if (row === null) throw notFound('destination');
  return row;
}
