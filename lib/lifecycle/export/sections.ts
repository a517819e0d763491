import { presentWith } from '@/lib/alerts/alerts';
import { Customer } from '@/lib/customers/schema';
import { presentBulkRetry } from '@/lib/delivery/bulk-retries/bulk-retries';
import { presentEndpoint } from '@/lib/delivery/endpoints/endpoints';
import { presentEventReplay } from '@/lib/delivery/event-replays/event-replays';
import { presentSubscription } from '@/lib/delivery/subscriptions';
import { presentReplay } from '@/lib/incoming/replays/replays';
import { presentKey } from '@/lib/keys/keys';
import { presentInvitation } from '@/lib/orgs/invitations/invitations';
import { listPending } from '@/lib/orgs/invitations/invitations-sql';
import { presentProject } from '@/lib/orgs/projects';
import { type Invitation, Member } from '@/lib/orgs/schema';
import { READ_AT_ONCE } from '@/lib/orgs/tenant';
import { unexpired } from '@/lib/platform/clock';
import type { Sql } from '@/lib/platform/db';
import { asJson } from '@/lib/platform/json-text';
import { REDACTED } from '@/lib/platform/net/credential-names';
import { present } from '@/lib/platform/present';
import { LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import type { Column } from '@/lib/platform/sql/column';
import type { Columns, RowOf, Statement } from '@/lib/platform/sql/statement';
import { testResponseOf } from '@/lib/tunnel/records/tunnel-columns';
import {
  ExportedDestination,
  ExportedEventType,
  ExportedPortalSession,
  ExportedSource,
  ExportedTunnel,
} from './schema';
import {
  type PAGE_OF_ORGANIZATION,
  type PAGE_OF_PROJECTS,
  selectAlerts,
  selectBulkRetries,
  selectCustomers,
  selectDestinations,
  selectEndpoints,
  selectEventReplays,
  selectEventTypes,
  selectKeys,
  selectMembers,
  selectPortalSessions,
  selectProjectIds,
  selectProjects,
  selectReplays,
  selectSources,
  selectSubscriptions,
  selectTunnels,
} from './sections-sql';

/** Larger pages were not faster and needed more memory. */
export const PAGE_ROWS = 100;
/** A type has up to 128 KiB of schema and example. */
const PAGE_EVENT_TYPES = 4;
const PAGE_PROJECTS = 200;

/** Reads a list page by page, each after the last row of the page before. */
export async function* readPages<Row>(
  readAfter: (last: Row | undefined) => Promise<Row[]>,
  pageRows: number,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await readAfter(last);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    last = rows.at(-1);
  }
}

const LOWEST = { projectId: LOWEST_ID, id: LOWEST_ID };

type Id = { readonly id: Column<string> };
type ProjectId = { readonly projectId: Column<string> };

/**
 * Reads rows of an organization page by page.
 * @param page orders by id
 */
function readOrganizationPages<C extends Columns & Id>(
  sql: Sql,
  page: Statement<C, typeof PAGE_OF_ORGANIZATION>,
  organizationId: string,
  pageRows = PAGE_ROWS,
): AsyncGenerator<RowOf<C>[]> {
  const read = (last: RowOf<C> | undefined) => {
    const { id: after } = (last as { id: string } | undefined) ?? LOWEST;
    return page.all(sql, { organization: organizationId, after, limit: pageRows });
  };
  return readPages(read, pageRows);
}

/**
 * Reads rows of all projects of an organization page by page. One statement covers many projects: a statement for each
 * would be slow, and a list of all their ids might be long.
 *
 * @param page orders by project and id, as the index does
 */
async function* readProjectPages<C extends Columns & Id & ProjectId>(
  sql: Sql,
  page: Statement<C, typeof PAGE_OF_PROJECTS>,
  organizationId: string,
  pageRows: number,
): AsyncGenerator<RowOf<C>[]> {
  for await (const projects of readOrganizationPages(sql, selectProjectIds, organizationId, PAGE_PROJECTS)) {
    const from = { projects: projects.map(({ id }) => id), limit: pageRows };
    const read = (last: RowOf<C> | undefined) => {
      const { projectId, id } = (last as Record<'projectId' | 'id', string> | undefined) ?? LOWEST;
      return page.all(sql, { ...from, afterProject: projectId, after: id });
    };
    yield* readPages<RowOf<C>>(read, pageRows);
  }
}

/** What an export reads: an organization, through the connection of its snapshot. */
export interface ExportScope {
  sql: Sql;
  organizationId: string;
  /** The time of the snapshot, which decides the status of keys. */
  at: Date;
}

/** Reads a list of the document page by page. */
type Section = (scope: ExportScope) => AsyncGenerator<object[]>;

/* Items have the fields of the API that schema.ts names, plus the id of their project. */

async function* members({ sql, organizationId }: ExportScope): AsyncGenerator<Member[]> {
  for await (const rows of readOrganizationPages(sql, selectMembers, organizationId)) {
    yield rows.map((row) => present(Member, { ...row, userId: row.id }));
  }
}

/** Those that can still be accepted, newest first. */
async function* invitations({ sql, organizationId }: ExportScope): AsyncGenerator<Invitation[]> {
  const read = (last: { id: string } | undefined) =>
    listPending.all(sql, { organization: organizationId, cursor: last?.id ?? null, limit: PAGE_ROWS });
  for await (const rows of readPages(read, PAGE_ROWS)) yield rows.map(presentInvitation);
}

async function* projects({ sql, organizationId }: ExportScope): AsyncGenerator<object[]> {
  for await (const rows of readOrganizationPages(sql, selectProjects, organizationId)) yield rows.map(presentProject);
}

/** Makes the section for a table of projects. Each item gets the id of its project. */
function ofProjects<C extends Columns & Record<'id' | 'projectId', Column<string>>>(
  page: Statement<C, typeof PAGE_OF_PROJECTS>,
  present: (row: RowOf<C>, at: Date) => object,
  pageRows = PAGE_ROWS,
): Section {
  return async function* ({ sql, organizationId, at }) {
    for await (const rows of readProjectPages(sql, page, organizationId, pageRows)) {
      // No spread: V8 allocates the copies in the old space, where they stay (30 MB measured).
      yield rows.map((row) => Object.assign(present(row, at), { projectId: row.projectId }));
    }
  };
}

/** The lists of the document by their field, in this order. The audit log follows. */
export const SECTIONS: Readonly<Record<string, Section>> = {
  members,
  invitations,
  projects,
  customers: ofProjects(selectCustomers, (row) => present(Customer, row), READ_AT_ONCE),
  portalSessions: ofProjects(selectPortalSessions, (row) => present(ExportedPortalSession, row)),
  eventTypes: ofProjects(
    selectEventTypes,
    ({ schema, example, ...row }) =>
      present(ExportedEventType, {
        ...row,
        schema: schema === null ? null : asJson(schema),
        example: example === null ? null : asJson(example),
      }),
    PAGE_EVENT_TYPES,
  ),
  endpoints: ofProjects(selectEndpoints, (row) => presentEndpoint(row, false), READ_AT_ONCE),
  subscriptions: ofProjects(selectSubscriptions, presentSubscription),
  sources: ofProjects(
    selectSources,
    (row, at) =>
      present(ExportedSource, {
        ...row,
        previousUrlExpiresAt: unexpired(row.previousUrlExpiresAt, at),
        previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt, at),
      }),
    READ_AT_ONCE,
  ),
  destinations: ofProjects(
    selectDestinations,
    (row, at) =>
      present(ExportedDestination, {
        ...row,
        previousSecretExpiresAt: unexpired(row.previousSecretExpiresAt, at),
      }),
    READ_AT_ONCE,
  ),
  tunnels: ofProjects(selectTunnels, (row) =>
    present(ExportedTunnel, {
      ...row,
      basicAuth: row.basicAuthUsername === null ? null : { username: row.basicAuthUsername },
      testResponse: testResponseOf(row),
    }),
  ),
  apiKeys: ofProjects(selectKeys, ({ creator, lastUsedAt, lastUsedFrom, ...row }, at) => {
    const use = lastUsedAt === null ? null : { lastUsedAt, lastUsedFrom };
    return presentKey({ ...row, use }, new Map(creator === null ? [] : [[creator.id, creator]]), at);
  }),
  alerts: ofProjects(selectAlerts, (row) => presentWith(row, row.kind === 'EMAIL' ? row.address : REDACTED)),
  bulkRetries: ofProjects(selectBulkRetries, presentBulkRetry),
  eventReplays: ofProjects(selectEventReplays, presentEventReplay),
  replays: ofProjects(selectReplays, presentReplay),
};
