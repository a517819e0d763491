import { randomInt } from 'node:crypto';
import type { ProjectCaller } from '@/lib/audit/caller';
import { changedFields } from '@/lib/audit/changed-fields';
import { auditChange } from '@/lib/audit/record-audit';
import { lockProject } from '@/lib/orgs/projects';
import { refuseIfMoved } from '@/lib/orgs/tenant';
import { setUrlTokens } from '@/lib/orgs/url-tokens-sql';
import { database, type Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { log } from '@/lib/platform/log';
import { type Listing, newestFirst, type Page, toListing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { type PrismaQueries, prisma } from '@/lib/platform/prisma/client';
import type { Prisma, Tunnel as TunnelRow } from '@/lib/platform/prisma/generated/client';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { lockCopiedTables } from '@/lib/platform/sql/copied-rows-sql';
import { sendTunnelSignal } from '@/lib/tunnel/relay/connections-sql';
import { type CreateTunnelBody, Tunnel, type UpdateTunnelBody } from '@/lib/tunnel/schema';
import { accessColumns, makeTunnelToken, testColumns, testResponseOf, tunnelUrl } from './tunnel-columns';
import { selectOnline } from './tunnels-sql';

/** The project of a tunnel, and its id. */
export interface TunnelPath {
  projectId: string;
  tunnelId: string;
}

/** Lists the tunnels of a project, newest first. */
export async function listTunnels(projectId: string, page: Page): Promise<Listing<Tunnel>> {
  const rows = await prisma().tunnel.findMany(newestFirst({ projectId }, page));
  const online = await listOnline(database(), projectId, rows);
  return toListing(rows, page.limit, (row) => presentTunnel(row, online.has(row.id)));
}

/** Reads a tunnel of a project. @throws AppError not_found */
export async function getTunnel(path: TunnelPath): Promise<Tunnel> {
  return withOnline(database(), await getTunnelRow(prisma(), path));
}

/** Reads the row of a tunnel. @throws AppError not_found */
export async function getTunnelRow(db: PrismaQueries, { projectId, tunnelId }: TunnelPath): Promise<TunnelRow> {
  const row = await db.tunnel.findFirst({ where: { id: tunnelId, projectId } });
  if (row === null) throw notFound('tunnel');
  return row;
}

/** Changes the row of a tunnel and returns it. @throws AppError not_found, also when it is deleted concurrently */
async function changeTunnelRow(
  db: PrismaQueries,
  { projectId, tunnelId }: TunnelPath,
  data: Prisma.TunnelUpdateManyMutationInput,
): Promise<TunnelRow> {
  const [row] = await db.tunnel.updateManyAndReturn({ where: { id: tunnelId, projectId }, data });
  if (row === undefined) throw notFound('tunnel');
  return row;
}

/** Converts a row to a tunnel of the API, with whether its client is connected. */
async function withOnline(sql: Sql, row: TunnelRow): Promise<Tunnel> {
  const online = await listOnline(sql, row.projectId, [row]);
  return presentTunnel(row, online.has(row.id));
}

/** Returns which of the tunnels of a project have a connected client. */
async function listOnline(sql: Sql, projectId: string, tunnels: readonly TunnelRow[]): Promise<ReadonlySet<string>> {
  if (tunnels.length === 0) return new Set();
  const rows = await selectOnline.all(sql, { project: projectId, tunnels: tunnels.map(({ id }) => id) });
  return new Set(rows.map(({ tunnel_id: id }) => id));
}

/** Converts a row to a tunnel of the API. @param online whether its client is connected */
function presentTunnel(row: TunnelRow, online: boolean): Tunnel {
  return present(Tunnel, {
    ...row,
    url: tunnelUrl(row),
    online,
    basicAuth: row.basicAuthUsername === null ? null : { username: row.basicAuthUsername },
    testResponse: testResponseOf(row),
  });
}

/** Creates a tunnel with a URL of its own. @throws AppError limit_reached; not_found when the project is deleted */
export async function createTunnel(caller: ProjectCaller, projectId: string, body: CreateTunnelBody): Promise<Tunnel> {
  const id = newId();
  const name = body.name ?? makeDefaultName();
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    refuseBeyondLimit('PROJECT_MAX_TUNNELS', await tx.prisma.tunnel.count({ where: { projectId } }));
    const row = await tx.prisma.tunnel.create({
      data: { id, projectId, name, ...makeTunnelToken(), ...accessColumns(id, body), ...testColumns(body) },
    });
    await lockCopiedTables(tx);
    await setUrlTokens.run(tx, { project: projectId, parent: id, tokenHashes: [Buffer.from(row.tokenHash)] });
    await auditChange(tx, caller, 'tunnel.created', id, { projectId, targetName: name });
    return presentTunnel(row, false);
  });
}

const COLORS = ['amber', 'azure', 'coral', 'golden', 'ivory', 'jade', 'olive', 'scarlet', 'silver', 'violet'] as const;
const ANIMALS = ['badger', 'falcon', 'heron', 'lynx', 'marten', 'otter', 'puffin', 'robin', 'stoat', 'wren'] as const;

/** Returns a default name for a tunnel, such as `amber-otter`. Names may repeat. */
export function makeDefaultName(): string {
  return `${COLORS[randomInt(COLORS.length)]}-${ANIMALS[randomInt(ANIMALS.length)]}`;
}

/**
 * Changes the given fields of a tunnel. Its client stays connected; visits that may not enter any more end.
 * @throws AppError not_found
 */
export async function updateTunnel(caller: ProjectCaller, path: TunnelPath, body: UpdateTunnelBody): Promise<Tunnel> {
  const { projectId, tunnelId } = path;
  return inTransaction(async (tx) => {
    // The audit log tells what each of two changes at once replaced.
    await lockProject(tx, projectId);
    const fields = Object.keys(body);
    const current = await getTunnelRow(tx.prisma, path);
    if (fields.length === 0) return withOnline(tx, current);
    const row = await changeTunnelRow(tx.prisma, path, {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...accessColumns(tunnelId, body),
      ...testColumns(body),
    });
    if (body.basicAuth !== undefined || body.allowedCidrs !== undefined) await signalEntryChange(tx, tunnelId);
    const changes = changedFields(presentTunnel(current, false), presentTunnel(row, false), fields, ['basicAuth']);
    if (changes !== null) await auditChange(tx, caller, 'tunnel.updated', tunnelId, { projectId, changes });
    return withOnline(tx, row);
  });
}

/** Tells every web process, once the transaction is committed, to end the visits that may not enter the tunnel any more. */
async function signalEntryChange(tx: Sql, tunnelId: string): Promise<void> {
  await sendTunnelSignal.run(tx, { signal: JSON.stringify({ type: 'entry', tunnelId }) });
}

/**
 * Gives a tunnel a new URL. The old one stops working at once, also for visits that are under way; the client stays connected.
 * @throws AppError not_found
 */
export async function rotateTunnelUrl(caller: ProjectCaller, path: TunnelPath): Promise<Tunnel> {
  return inTransaction(async (tx) => {
    const row = await changeTunnelRow(tx.prisma, path, makeTunnelToken());
    const { projectId: project, tunnelId: parent } = path;
    await lockCopiedTables(tx);
    await setUrlTokens.run(tx, { project, parent, tokenHashes: [Buffer.from(row.tokenHash)] });
    await signalEntryChange(tx, path.tunnelId);
    await auditChange(tx, caller, 'tunnel.url_rotated', path.tunnelId, { projectId: path.projectId });
    return withOnline(tx, row);
  });
}

/**
 * Deletes a tunnel: its URL stops working, its log becomes unreadable, and its client is disconnected. Retention removes the
 * rows of the log later.
 * @throws AppError not_found
 */
export async function deleteTunnel(caller: ProjectCaller, path: TunnelPath): Promise<void> {
  const { projectId, tunnelId } = path;
  await inTransaction(async (tx) => {
    const { name } = await getTunnelRow(tx.prisma, path);
    const { count } = await tx.prisma.tunnel.deleteMany({ where: { id: tunnelId, projectId } });
    if (count === 0) {
      await refuseIfMoved(tx, projectId);
      throw notFound('tunnel');
    }
    await lockCopiedTables(tx);
    await setUrlTokens.run(tx, { project: projectId, parent: tunnelId, tokenHashes: [] });
    await auditChange(tx, caller, 'tunnel.deleted', tunnelId, { projectId, targetName: name });
  });
  // If this signal is lost, the connection is closed at its next heartbeat, because it has no row.
  await sendTunnelSignal
    .run(database(), { signal: JSON.stringify({ type: 'closed', tunnelId }) })
    .catch((error: unknown) =>
      log().warn({ err: error, tunnelId }, 'client of a deleted tunnel could not be notified'),
    );
}
