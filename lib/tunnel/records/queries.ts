import { database, type Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { Prisma, Tunnel as TunnelRow } from '@/lib/platform/prisma/generated/client';
import type { Tunnel } from '@/lib/tunnel/schema';
import { testResponseOf, tunnelUrl } from './tunnel-columns';
import { selectOnline } from './tunnels-sql';

/** Lists the tunnels of a project, newest first. */
export async function listTunnels(projectId: string, page: Page): Promise<Listing<Tunnel>> {
  const rows = await prisma().tunnel.findMany({
    where: { projectId, ...(page.cursor === undefined ? {} : { id: { lt: page.cursor } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
  const online = await listOnline(
    projectId,
    rows.map(({ id }) => id),
  );
  return toListing(rows, page.limit, (row) => presentTunnel(row, online.has(row.id)));
}

/** Reads a tunnel of a project. @throws AppError not_found */
export async function getTunnel(projectId: string, tunnelId: string): Promise<Tunnel> {
  return withOnline(await getTunnelRow(prisma(), projectId, tunnelId));
}

/** Reads the row of a tunnel. @throws AppError not_found */
export async function getTunnelRow(db: PrismaQueries, projectId: string, tunnelId: string): Promise<TunnelRow> {
  const row = await db.tunnel.findFirst({ where: { id: tunnelId, projectId } });
  if (row === null) throw notFound('tunnel');
  return row;
}

/** Changes the row of a tunnel and returns it. @throws AppError not_found, also when it is deleted concurrently */
export async function changeTunnelRow(
  db: PrismaQueries,
  projectId: string,
  tunnelId: string,
  data: Prisma.TunnelUpdateManyMutationInput,
): Promise<TunnelRow> {
  const [row] = await db.tunnel.updateManyAndReturn({ where: { id: tunnelId, projectId }, data });
  if (row === undefined) throw notFound('tunnel');
  return row;
}

/** Converts a row to a tunnel of the API, with whether its client is connected. */
export async function withOnline(row: TunnelRow, sql?: Sql): Promise<Tunnel> {
  const online = await listOnline(row.projectId, [row.id], sql);
  return presentTunnel(row, online.has(row.id));
}

/** Returns which of the tunnels of a project have a connected client. */
async function listOnline(
  projectId: string,
  tunnelIds: readonly string[],
  sql: Sql = database(),
): Promise<ReadonlySet<string>> {
  if (tunnelIds.length === 0) return new Set();
  const rows = await selectOnline.all(sql, projectId, tunnelIds);
  return new Set(rows.map(({ tunnel_id: id }) => id));
}

/** Converts a row to a tunnel of the API. @param online whether its client is connected */
export function presentTunnel(row: TunnelRow, online: boolean): Tunnel {
  return {
    id: row.id,
    name: row.name,
    url: tunnelUrl(row),
    online,
    basicAuth: row.basicAuthUsername === null ? null : { username: row.basicAuthUsername },
    allowedCidrs: row.allowedCidrs,
    testResponse: testResponseOf(row),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
