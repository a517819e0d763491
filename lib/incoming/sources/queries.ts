import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import type { Source } from '@/lib/incoming/schema';
import { maySeeSecrets } from '@/lib/orgs/may-see-secrets';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { Source as SourceRow } from '@/lib/platform/prisma/generated/client';
import { presentSource } from './present-source';

/** Lists the sources of a project, newest first. */
export async function listSources(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  page: Page,
  at: Date,
): Promise<Listing<Source>> {
  const rows = await prisma().source.findMany({
    where: { projectId, deletedAt: null, ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
  const showsUrl = maySeeSecrets(caller);
  return toListing(rows, page.limit, (row) => presentSource(row, at, showsUrl));
}

/** Reads a source of a project. @throws AppError not_found */
export async function getSource(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  sourceId: string,
  at: Date,
): Promise<Source> {
  return presentSource(await getSourceRow(prisma(), projectId, sourceId), at, maySeeSecrets(caller));
}

/** Reads the row of a source that is not deleted. @throws AppError not_found */
export async function getSourceRow(db: PrismaQueries, projectId: string, sourceId: string): Promise<SourceRow> {
  const row = await db.source.findFirst({ where: { id: sourceId, projectId, deletedAt: null } });
  if (row === null) throw notFound('source');
  return row;
}
