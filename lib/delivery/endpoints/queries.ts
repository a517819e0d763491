import type { Endpoint } from '@/lib/delivery/schema';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { Endpoint as EndpointRow } from '@/lib/platform/prisma/generated/client';
import { presentEndpoint } from './present-endpoint';

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
