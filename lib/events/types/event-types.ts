import type { ProjectCaller } from '@/lib/audit/caller';
import { changedFields } from '@/lib/audit/changed-fields';
import { auditChange } from '@/lib/audit/record-audit';
import {
  CatalogueType,
  type CreateEventTypeBody,
  EventTypeSummary,
  type ListEventTypesQuery,
  type UpdateEventTypeBody,
} from '@/lib/events/schema';
import { TYPE_PATTERN } from '@/lib/events/type-pattern-policy';
import { lockProject } from '@/lib/orgs/projects';
import { refuseIfMoved } from '@/lib/orgs/tenant';
import { readHeavily } from '@/lib/platform/connection-shares';
import { database, type Sql } from '@/lib/platform/db';
import { AppError, notFound } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { asJson } from '@/lib/platform/json-text';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { encodePosition, type Listing } from '@/lib/platform/pagination';
import { present } from '@/lib/platform/present';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import {
  countEventTypes,
  deleteEventType as deleteRow,
  type EventTypeRow,
  findDefinedType,
  findEventType,
  insertEventType,
  selectEventTypes,
  selectTypesAmong,
  updateEventType as updateRow,
} from './event-types-sql';
import { refuseTypeFault } from './refuse-type-fault';

/** The project of a type, and its name. */
export interface TypePath {
  projectId: string;
  name: string;
}

/** JSON as the caller sent it: its numbers are exact. */
export interface TypeTexts {
  schema?: string | null;
  example?: string | null;
}
type WithTexts<Body extends { schema?: unknown; example?: unknown }> = Omit<Body, 'schema' | 'example'> & TypeTexts;

/** What is stored of a type. */
export interface TypeDefinition {
  name: string;
  description: string | null;
  group: string | null;
  status: 'ACTIVE' | 'DEPRECATED';
  schema: string | null;
  example: string | null;
}

/** Types that a filtered page looks at, of those that were sent. */
const MAX_EXAMINED = 2_000;

/** Lists the types of a project by name: those of its catalogue, and others that were sent. */
export async function listEventTypes(projectId: string, query: ListEventTypesQuery): Promise<Listing<CatalogueType>> {
  const { status, group, q, limit } = query;
  const isFiltered = q !== undefined || status !== undefined;
  const isDefined = group !== undefined || (status !== undefined && status !== 'SEEN');
  const examined = isDefined ? 0 : isFiltered ? MAX_EXAMINED : limit + 1;
  const read = () => selectEventTypes.all(database(), { ...pageOf(projectId, query), examined });
  const rows = await (q === undefined ? read() : readHeavily(read, 'search'));
  return toPage(rows, limit, presentCatalogueType);
}

/** Lists the types of the catalogue, and some that were sent, as receivers read them. */
export async function listTypesForReceivers(
  projectId: string,
  seen: readonly string[],
  query: Pick<ListEventTypesQuery, 'limit' | 'cursor' | 'q'>,
): Promise<Listing<EventTypeSummary>> {
  const read = () => selectTypesAmong.all(database(), { ...pageOf(projectId, query), seen });
  const rows = await (query.q === undefined ? read() : readHeavily(read, 'search'));
  return toPage(rows, query.limit, presentSummary);
}

function pageOf(projectId: string, { cursor, limit, status, group, q }: ListEventTypesQuery) {
  return {
    project: projectId,
    after: String(cursor?.key ?? ''),
    status: status ?? null,
    group: group ?? null,
    text: q?.toLowerCase() ?? null,
    limit: limit + 1,
  };
}

type NamedRow = EventTypeRow & { name: string };

function toPage<T>(rows: readonly EventTypeRow[], limit: number, presentRow: (row: NamedRow) => T): Listing<T> {
  const named = rows.filter((row): row is NamedRow => row.name !== null).slice(0, limit);
  const isCut = (rows[0]?.found ?? 0) > named.length;
  const last = isCut ? named.at(-1)?.name : undefined;
  const next = last ?? rows[0]?.horizon ?? null;
  return {
    data: named.map(presentRow),
    nextCursor: next === null ? null : encodePosition({ id: LOWEST_ID, key: next }),
  };
}

const json = (text: string | null) => (text === null ? null : asJson(text));

function presentSummary(row: NamedRow): EventTypeSummary {
  const { group_name: group, schema, example } = row;
  return present(EventTypeSummary, { ...row, group, schema: json(schema), example: json(example) });
}

function presentCatalogueType(row: NamedRow): CatalogueType {
  return present(CatalogueType, {
    ...presentSummary(row),
    mismatches: { count: row.mismatch_count ?? 0, lastAt: row.last_mismatch_at?.toISOString() ?? null },
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  });
}

/** No type has a name of other characters, and the database takes no NUL. @throws AppError not_found */
function refuseImpossibleName({ name }: TypePath): void {
  if (!TYPE_PATTERN.test(name)) throw notFound('event type');
}

/** Reads a type of a project, defined or only sent. @throws AppError not_found */
export async function getEventType(path: TypePath, sql: Sql = database()): Promise<CatalogueType> {
  refuseImpossibleName(path);
  const { projectId, name } = path;
  const row = await findEventType.first(sql, { project: projectId, name });
  if (row === undefined || row.name === null) throw notFound('event type');
  return presentCatalogueType({ ...row, name: row.name });
}

/**
 * Defines a type, also one that was sent before.
 * @throws AppError conflict for a name that is defined; limit_reached; validation_failed for its schema or example
 */
export async function createEventType(
  caller: ProjectCaller,
  projectId: string,
  { name, status, description = null, group = null, schema = null, example = null }: WithTexts<CreateEventTypeBody>,
): Promise<CatalogueType> {
  await refuseTypeFault(caller, projectId, { schema, example });
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    if ((await findDefinedType.first(tx, { project: projectId, name })) !== undefined) {
      throw new AppError('conflict', 'This project already defines this event type.');
    }
    refuseBeyondLimit('PROJECT_MAX_EVENT_TYPES', (await countEventTypes.one(tx, { project: projectId })).count);
    await insertType(tx, caller, projectId, { name, status, description, group, schema, example });
    return getEventType({ projectId, name }, tx);
  });
}

/** Stores a new type. The project is locked. */
export async function insertType(
  tx: Sql,
  caller: ProjectCaller,
  projectId: string,
  type: TypeDefinition,
): Promise<void> {
  const id = newId();
  await insertEventType.run(tx, { id, project: projectId, ...type });
  await auditChange(tx, caller, 'event_type.created', id, { projectId, targetName: type.name });
}

/**
 * Changes the given fields of a type of the catalogue.
 * @throws AppError not_found; validation_failed for its schema, and for an example that does not satisfy it
 */
export async function updateEventType(
  caller: ProjectCaller,
  { projectId, name }: TypePath,
  body: WithTexts<UpdateEventTypeBody>,
): Promise<CatalogueType> {
  refuseImpossibleName({ projectId, name });
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const known = await findDefinedType.first(database(), { project: projectId, name });
  if (known === undefined) throw notFound('event type');
  await refuseTypeFault(caller, projectId, { ...known, ...given });
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    const row = await findDefinedType.first(tx, { project: projectId, name });
    if (row === undefined) throw notFound('event type');
    if (row.schema !== known.schema || row.example !== known.example) {
      throw new AppError('conflict', 'The event type was changed meanwhile. Read it and try again.');
    }
    await updateType(tx, caller, projectId, row, given);
    return getEventType({ projectId, name }, tx);
  });
}

/** Stores the changes of a type, and returns whether there are any. The project is locked. */
export async function updateType(
  tx: Sql,
  caller: ProjectCaller,
  projectId: string,
  { id, group_name: group, ...row }: { id: string; group_name: string | null } & Omit<TypeDefinition, 'group'>,
  given: Partial<TypeDefinition>,
): Promise<boolean> {
  const before: TypeDefinition = { ...row, group };
  const after: TypeDefinition = { ...before, ...given };
  const changes = changedFields(before, after, Object.keys(given));
  if (changes === null) return false;
  // The log keeps no data: an example may have some of a customer.
  for (const name of ['schema', 'example']) if (name in changes) changes[name] = {};
  await updateRow.run(tx, { project: projectId, ...after });
  await auditChange(tx, caller, 'event_type.updated', id, { projectId, targetName: row.name, changes });
  return true;
}

/** Removes a type from the catalogue. Events of this type stay. @throws AppError not_found */
export async function deleteEventType(caller: ProjectCaller, path: TypePath): Promise<void> {
  refuseImpossibleName(path);
  const { projectId, name } = path;
  await inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    const row = await deleteRow.first(tx, { project: projectId, name });
    if (row === undefined) {
      await refuseIfMoved(tx, projectId);
      throw notFound('event type');
    }
    await auditChange(tx, caller, 'event_type.deleted', row.id, { projectId, targetName: name });
  });
}
