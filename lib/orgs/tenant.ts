import type { ProjectCaller } from '@/lib/audit/caller';
import { chooseCell, currentCell, FIRST_CELL, hasSeveralCells, inCell } from '@/lib/platform/cells/current-cell';
import { MINUTE_MS } from '@/lib/platform/clock';
import { countForOwner, readHeavily, shareConnections, withoutShare } from '@/lib/platform/connection-shares';
import { database, hotDatabase, type Sql } from '@/lib/platform/db';
import { justMoved, notFound } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { noteActive } from '@/lib/platform/pace';
import { encodeCursor, type Listing, type Page } from '@/lib/platform/pagination';
import { BYTES_OF_THREAD_MS, threadTime } from '@/lib/platform/thread-time';
import { inThreadTurn } from '@/lib/platform/thread-turns';
import { TimedCache } from '@/lib/platform/timed-cache';
import { findTenantOfOrganization, findTenantOfProject, findTenantsOfProjects } from './orgs-sql';
import { type Action, may } from './permissions-policy';
import { findProjectsOfUrlTokens } from './url-tokens-sql';

/** Who shares the bounds of a process with others. */
export interface Tenant {
  organizationId: string;
  /** The person who created the organization, while they own it: their organizations share one part. Else the organization. */
  ownerId: string;
}

/** Returns the tenant of an organization (./orgs-sql.ts, `TENANT_SQL`). */
export async function findTenant(organizationId: string): Promise<Tenant> {
  return { organizationId, ownerId: (await tenantsOfOrganizations().get(organizationId)).ownerId };
}

/**
 * Counts the further statements of the current request for the owner of a project (lib/platform/connection-shares.ts). They are about its
 * cell.
 */
export async function countForOwnerOfProject(projectId: string): Promise<string> {
  const { ownerId, cell } = await tenantsOfProjects().get(projectId);
  countForOwner(ownerId);
  chooseCell(cell);
  return ownerId;
}

/** Runs statements of a request that shares no connections yet, in the share of the owner of a project. */
export async function inShareOfProject<T>(projectId: string, work: (ownerId: string) => Promise<T>): Promise<T> {
  const { ownerId, cell } = await tenantsOfProjects().get(projectId);
  noteActive(ownerId);
  return shareConnections({ network: ownerId, isReading: false, ownerId }, () => inCell(cell, () => work(ownerId)));
}

/**
 * Returns the tenant of a project's organization: a person or the organization itself. For an unknown project, returns its id.
 * A change of owners takes effect within a minute: this is for shares, never for access.
 */
export async function ownerOfProject(projectId: string): Promise<string> {
  return (await tenantsOfProjects().get(projectId)).ownerId;
}

/** Returns the cell of a project. */
export async function cellOfProject(projectId: string): Promise<string> {
  return (await tenantsOfProjects().get(projectId)).cell;
}

/** The further statements of the current request are about the cell of this project. */
export async function chooseCellOfProject(projectId: string): Promise<void> {
  if (hasSeveralCells()) chooseCell(await cellOfProject(projectId));
}

/**
 * Call this when a change found no row that it should have found. The cell that an organization has left leaves out some changes without
 * an error (docs/decisions/081-moves-between-cells.md), and none of these may count as done or as a lack of the row.
 * @throws AppError unavailable when the organization of the project is in another cell than the current one
 */
export async function refuseIfMoved(sql: Sql, projectId: string): Promise<void> {
  if (!hasSeveralCells()) return;
  const found = await findTenantOfProject.first(sql, { project: projectId });
  if (found !== undefined && found.cell !== currentCell()) throw justMoved();
}

/** Runs statements about what a project produces, outside of a request, in its cell. */
export async function inCellOfProject<T>(projectId: string, work: () => Promise<T>): Promise<T> {
  return hasSeveralCells() ? inCell(await cellOfProject(projectId), work) : work();
}

/**
 * Runs work for rows in the cells of their projects, in all cells at once, and returns the results. Each cell may be on a machine of its own:
 * work that must not fail with another cell settles by itself.
 */
export async function inCellsOf<Row, T>(
  rows: readonly Row[],
  projectOf: (row: Row) => string,
  work: (rows: readonly Row[]) => Promise<T>,
): Promise<T[]> {
  if (!hasSeveralCells()) return [await work(rows)];
  await readOwnersOfProjects(rows.map(projectOf));
  const byCell = new Map<string, Row[]>();
  for (const row of rows) {
    const cell = await cellOfProject(projectOf(row));
    byCell.set(cell, [...(byCell.get(cell) ?? []), row]);
  }
  return Promise.all([...byCell].map(([cell, ofCell]) => inCell(cell, () => work(ofCell))));
}

/** Returns the projects of the tokens in URLs of sources and tunnels, by the hash in hex. */
export async function projectsOfUrlTokens(tokenHashes: readonly Buffer[]): Promise<ReadonlyMap<string, string>> {
  const rows = await findProjectsOfUrlTokens.all(hotDatabase(), { tokenHashes });
  return new Map(rows.map((row) => [row.token_hash.toString('hex'), row.project_id]));
}

/** The further statements of the current request are about this organization. */
export async function chooseCellOfOrganization(organizationId: string): Promise<void> {
  chooseCell((await tenantsOfOrganizations().get(organizationId)).cell);
}

/** Forgets where organizations are: one has moved to another cell, or a notification of that may have been missed. */
export function forgetTenants(): void {
  tenantsOfOrganizations().clear();
  tenantsOfProjects().clear();
}

const NEVER = new AbortController().signal;

/**
 * Computes part of an answer that may take some milliseconds, when it is the turn of the project's owner.
 * @param needed returns a signal that ends the wait
 * @throws AppError rate_limited when too much of the owner waits; another one when the signal ends the wait
 */
export async function inThreadTurnOfProject<T>(
  caller: ProjectCaller,
  projectId: string,
  work: () => T,
  needed = () => NEVER,
): Promise<T> {
  const client = { ...caller.client, ownerId: await ownerOfProject(projectId) };
  return inThreadTurn(client, needed, work);
}

/** A turn ends after the item that reaches this. A longer one would count with its garbage (lib/platform/thread-turns.ts). */
const TURN_MS = 1.5;

/** Maps items that may take long, in turns with what others compute. @throws AppError rate_limited when too much of the owner waits */
export async function mapInTurns<T, Result>(
  caller: ProjectCaller,
  projectId: string,
  items: readonly T[],
  map: (item: T) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  const mapSome = () => {
    const startedMs = performance.now();
    for (const item of items.slice(results.length)) {
      results.push(map(item));
      if (performance.now() - startedMs >= TURN_MS) return;
    }
  };
  while (results.length < items.length) await inThreadTurnOfProject(caller, projectId, mapSome);
  return results;
}

/** A row may have 25 KB. Those that are read at once keep the thread busy. */
export const READ_AT_ONCE = 25;

/** Writing more as JSON, hashing and compressing it keeps the thread busy for milliseconds. */
const MAX_PAGE_BYTES = 256 * 1024;

/** A page of rows that may be large. It ends with the item that makes its JSON longer than 256 KiB. */
export class BoundedPage<T> {
  readonly data: T[] = [];
  private bytes = 0;

  /** Presents rows like `mapInTurns`. @returns the last one that belongs to the page: the next page begins after it */
  async add<Row>(
    caller: ProjectCaller,
    projectId: string,
    rows: readonly Row[],
    present: (row: Row) => T,
  ): Promise<Row | undefined> {
    const before = { items: this.data.length, bytes: this.bytes };
    await mapInTurns(caller, projectId, rows, (row) => {
      if (this.isFull()) return;
      const item = present(row);
      this.bytes += JSON.stringify(item).length;
      this.data.push(item);
    });
    // Not when the response ends, which may be seconds later.
    threadTime().count(await ownerOfProject(projectId), (this.bytes - before.bytes) / BYTES_OF_THREAD_MS);
    return rows[this.data.length - before.items - 1];
  }

  isFull(): boolean {
    return this.bytes > MAX_PAGE_BYTES;
  }
}

/** How to list rows that may be large. */
interface LargeRows<Row, T> {
  /** Reads a page, newest first, and one more row. */
  read: (page: Page) => Promise<Row[]>;
  present: (row: Row) => T;
}

/**
 * Lists rows that may be large, newest first: reads them in pieces, and presents them as a `BoundedPage`.
 * @throws AppError as `mapInTurns` and `onePageAtATime`
 */
export function listInTurns<Row extends { id: string }, T>(
  caller: ProjectCaller,
  projectId: string,
  { limit, cursor }: Page,
  { read, present }: LargeRows<Row, T>,
): Promise<Listing<T>> {
  return onePageAtATime(limit, async () => {
    const page = new BoundedPage<T>();
    let last = cursor;
    while (true) {
      const atOnce = Math.min(READ_AT_ONCE, limit - page.data.length);
      const rows = await read({ cursor: last, limit: atOnce });
      const shown = await page.add(caller, projectId, rows.slice(0, atOnce), present);
      const { data } = page;
      if (shown === undefined || shown === rows.at(-1)) return { data, nextCursor: null };
      if (page.isFull() || data.length === limit) return { data, nextCursor: encodeCursor(shown.id) };
      last = shown.id;
    }
  });
}

/**
 * Reads and presents a `BoundedPage` when it is the turn of its owner, unless its rows are few: all that an owner asks for at once would
 * keep the thread busy for seconds before it counts as heavy. @throws AppError as `readHeavily`
 */
export function onePageAtATime<T>(limit: number, list: () => Promise<T>): Promise<T> {
  return limit > READ_AT_ONCE ? readHeavily(list, 'page') : list();
}

/** Returns the owner as this process read it last, without waiting. Reads it when it is unknown or a minute old. */
export function knownOwnerOfProject(projectId: string): string | undefined {
  return tenantsOfProjects().latest(projectId)?.ownerId;
}

/** Whether this process has read the owners of all of these projects. */
export function areOwnersKnown(projectIds: readonly string[]): boolean {
  return projectIds.every((id) => tenantsOfProjects().has(id));
}

/** Reads the owners of projects at once, unless this process has read them: projects of unknown owners would count as tenants of their own. */
export async function readOwnersOfProjects(projectIds: readonly string[]): Promise<void> {
  const known = tenantsOfProjects();
  const unknown = [...new Set(projectIds)].filter((id) => !known.has(id)).slice(0, MAX_CACHED);
  if (unknown.length === 0) return;
  const found = await findTenantsOfProjects.all(database(), { projects: unknown });
  const rows = new Map(found.map((row) => [row.id, row]));
  for (const id of unknown) known.set(id, toTenant(id, rows.get(id)));
}

/** About 150 bytes each. */
const MAX_CACHED = 20_000;

/** What is not known counts as its own tenant, and is in no cell but the first. */
function toTenant(id: string, row: { tenant_id: string | null; cell: string } | undefined) {
  return { ownerId: row?.tenant_id ?? id, cell: row?.cell ?? FIRST_CELL };
}

const tenantsOfOrganizations = () =>
  once('tenants-of-organizations', () => {
    // Others may wait for it, and not in the share of whoever asks first.
    const read = (id: string) =>
      withoutShare(async () => toTenant(id, await findTenantOfOrganization.first(database(), { organization: id })));
    return new TimedCache(read, MINUTE_MS, MAX_CACHED);
  });

const tenantsOfProjects = () =>
  once('tenants-of-projects', () => {
    const read = (id: string) =>
      withoutShare(async () => toTenant(id, await findTenantOfProject.first(database(), { project: id })));
    return new TimedCache(read, MINUTE_MS, MAX_CACHED);
  });

/**
 * Returns the organization a caller acts in: the tenant of every query. @throws AppError not_found when there is none
 */
export function organizationOf(caller: ProjectCaller): string {
  if (caller.organizationId === null) throw notFound('organization');
  return caller.organizationId;
}

/** What the role of a person who sees secrets must allow. */
export const SECRETS_ACTION: Action = 'endpoint.secret';

/**
 * Whether a caller may see what makes a request pass for a sender's: signatures, the URLs of sources, and tokens in query strings.
 * Those who may not retry or replay must not get the same by sending it themselves.
 */
export function maySeeSecrets(caller: ProjectCaller): boolean {
  if (caller.type === 'portal') return caller.permissions === 'MANAGE';
  if (caller.type === 'key') return caller.scope === 'READ_WRITE';
  return caller.role !== null && may(caller.role, SECRETS_ACTION);
}
