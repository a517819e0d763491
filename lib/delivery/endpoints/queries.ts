import type { Endpoint } from '@/lib/delivery/schema';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { Endpoint as EndpointRow } from '@/lib/platform/prisma/generated/client';

/** Lists the endpoints of a project, newest first. */
export async function listEndpoints(projectId: string, page: Page): Promise<Listing<Endpoint>> {
  const rows = await prisma().endpoint.findMany({
    where: { projectId, deletedAt: null, ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
  return toListing(rows, page.limit, presentEndpoint);
}

/** Reads an endpoint of a project. @throws AppError not_found */
export async function getEndpoint(projectId: string, endpointId: string): Promise<Endpoint> {
  return presentEndpoint(await getEndpointRow(prisma(), projectId, endpointId));
}

/** Reads the row of an endpoint that is not deleted. @throws AppError not_found */
export async function getEndpointRow(db: PrismaQueries, projectId: string, endpointId: string): Promise<EndpointRow> {
  const row = await db.endpoint.findFirst({ where: { id: endpointId, projectId, deletedAt: null } });
  if (row === null) throw notFound('endpoint');
  return row;
}

/** The columns that the API shows. The secrets are not among them. */
type ShownEndpoint = Pick<EndpointRow, keyof Endpoint>;

/** Converts a row to an endpoint of the API. */
export function presentEndpoint(row: ShownEndpoint): Endpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    pauseReason: row.pauseReason,
    failingSince: row.failingSince?.toISOString() ?? null,
    retrySeconds: row.retrySeconds,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
