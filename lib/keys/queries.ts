import type { PersonCaller } from '@/lib/audit/caller';
import { organizationOf } from '@/lib/orgs/organization-of';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { prisma } from '@/lib/platform/prisma/client';
import { findCreators } from './creators';
import { presentKey } from './present-key';
import type { ApiKey } from './schema';

const WITH_SUCCESSOR = { replacedBy: { select: { id: true } } } as const;

/** Lists the keys of a project, newest first. */
export async function listKeys(
  caller: PersonCaller,
  projectId: string,
  page: Page,
  at: Date,
): Promise<Listing<ApiKey>> {
  const rows = await prisma().apiKey.findMany({
    where: { projectId, ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }) },
    include: WITH_SUCCESSOR,
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
  const creators = await findCreators(
    organizationOf(caller),
    rows.map(({ createdById }) => createdById),
  );
  return toListing(rows, page.limit, (row) => presentKey(row, creators, at));
}

/** Reads a key of a project. @throws AppError not_found */
export async function getKey(caller: PersonCaller, projectId: string, apiKeyId: string, at: Date): Promise<ApiKey> {
  const row = await prisma().apiKey.findFirst({ where: { id: apiKeyId, projectId }, include: WITH_SUCCESSOR });
  if (row === null) throw notFound('API key');
  return presentKey(row, await findCreators(organizationOf(caller), [row.createdById]), at);
}
