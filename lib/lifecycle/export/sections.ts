import { presentEndpoint, type ShownEndpoint } from '@/lib/delivery/endpoints/present-endpoint';
import { presentSubscription } from '@/lib/delivery/subscriptions/queries';
import { presentKey, type ShownKey } from '@/lib/keys/present-key';
import type { KeyCreator } from '@/lib/keys/schema';
import { presentProject } from '@/lib/orgs/present-project';
import type { Member } from '@/lib/orgs/schema';
import type { Sql } from '@/lib/platform/db';
import type { Project, Subscription } from '@/lib/platform/prisma/generated/client';
import { readOrganizationPages, readProjectPages } from './read-pages';
import type { ExportedDestination, ExportedSource } from './schema';

/** The source of an export: its connection, its organization, and the time of its snapshot. */
export interface ExportScope {
  sql: Sql;
  organizationId: string;
  /** The time of the snapshot, which decides the status of keys. */
  at: Date;
}

/** Reads a list of the document page by page. */
export type Section = (scope: ExportScope) => AsyncGenerator<object[]>;

/*
 * Every column is named: a payload, hash, secret or token is never read. Items look as in the API, plus their project.
 */

type InProject = { id: string; projectId: string };
/** As the database returns it: times are Dates. */
type Dated<T> = { [K in keyof T]: K extends `${string}At` | 'failingSince' ? Exclude<T[K], string> | Date : T[K] };

const PAGE_OF_PROJECTS = (table: string, condition = '') => `
  WHERE ${table}.project_id = ANY($1::uuid[]) AND (${table}.project_id, ${table}.id) > ($2::uuid, $3::uuid) ${condition}
  ORDER BY ${table}.project_id, ${table}.id LIMIT $4`;

const MEMBERS_SQL = `
  SELECT u.id, u.email, u.name, m.role, m.created_at AS "createdAt"
  FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.organization_id = $1 AND m.user_id > $2 ORDER BY m.user_id LIMIT $3`;

async function* members({ sql, organizationId }: ExportScope): AsyncGenerator<Member[]> {
  type Row = Omit<Member, 'userId' | 'createdAt'> & { id: string; createdAt: Date };
  for await (const rows of readOrganizationPages<Row>(sql, MEMBERS_SQL, organizationId)) {
    yield rows.map(({ id, createdAt, ...member }) => ({ userId: id, ...member, createdAt: createdAt.toISOString() }));
  }
}

const PROJECTS_SQL = `
  SELECT id, organization_id AS "organizationId", name, created_at AS "createdAt", updated_at AS "updatedAt"
  FROM projects WHERE organization_id = $1 AND deleted_at IS NULL AND id > $2 ORDER BY id LIMIT $3`;

async function* projects({ sql, organizationId }: ExportScope): AsyncGenerator<object[]> {
  for await (const rows of readOrganizationPages<Project>(sql, PROJECTS_SQL, organizationId)) {
    yield rows.map(presentProject);
  }
}

/** Makes the section for a table of projects. Each item gets the id of its project. */
function ofProjects<Row extends InProject>(text: string, present: (row: Row, at: Date) => object): Section {
  return async function* ({ sql, organizationId, at }) {
    for await (const rows of readProjectPages<Row>(sql, text, organizationId)) {
      // No spread: V8 allocates the copies in the old space, where they stay (30 MB measured).
      yield rows.map((row) => Object.assign(present(row, at), { projectId: row.projectId }));
    }
  };
}

const endpoints = ofProjects<ShownEndpoint & InProject>(
  `SELECT id, project_id AS "projectId", url, description, enabled, disabled_reason AS "disabledReason",
     disabled_at AS "disabledAt", failing_since AS "failingSince", coalesce(retry_seconds, '{}') AS "retrySeconds",
     created_at AS "createdAt", updated_at AS "updatedAt"
   FROM endpoints ${PAGE_OF_PROJECTS('endpoints', 'AND deleted_at IS NULL')}`,
  presentEndpoint,
);

const subscriptions = ofProjects<Subscription>(
  `SELECT id, project_id AS "projectId", endpoint_id AS "endpointId", event_type AS "eventType", enabled,
     created_at AS "createdAt", updated_at AS "updatedAt"
   FROM subscriptions ${PAGE_OF_PROJECTS('subscriptions')}`,
  presentSubscription,
);

const sources = ofProjects<Dated<ExportedSource>>(
  `SELECT id, project_id AS "projectId", name, provider, signature_header AS "signatureHeader",
     signature_encoding AS "signatureEncoding", enabled, created_at AS "createdAt", updated_at AS "updatedAt"
   FROM sources ${PAGE_OF_PROJECTS('sources', 'AND deleted_at IS NULL')}`,
  (row): ExportedSource => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }),
);

const destinations = ofProjects<Dated<ExportedDestination>>(
  `SELECT id, project_id AS "projectId", source_id AS "sourceId", url, enabled, disabled_reason AS "disabledReason",
     disabled_at AS "disabledAt", failing_since AS "failingSince", created_at AS "createdAt", updated_at AS "updatedAt"
   FROM destinations ${PAGE_OF_PROJECTS('destinations', 'AND deleted_at IS NULL')}`,
  (row): ExportedDestination => ({
    ...row,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    failingSince: row.failingSince?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }),
);

const apiKeys = ofProjects<ShownKey & { projectId: string; creator: KeyCreator | null }>(
  `SELECT api_keys.id, api_keys.project_id AS "projectId", api_keys.name, scope, hint, expires_at AS "expiresAt",
     revoked_at AS "revokedAt", grace_ends_at AS "graceEndsAt", replaces_id AS "replacesId",
     created_by_id AS "createdById", last_used_at AS "lastUsedAt", api_keys.created_at AS "createdAt",
     (SELECT jsonb_build_object('id', r.id) FROM api_keys r WHERE r.replaces_id = api_keys.id) AS "replacedBy",
     (SELECT jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email)
      FROM projects p JOIN memberships m ON m.organization_id = p.organization_id AND m.user_id = created_by_id
      JOIN users u ON u.id = m.user_id WHERE p.id = api_keys.project_id) AS creator
   FROM api_keys ${PAGE_OF_PROJECTS('api_keys')}`,
  ({ creator, ...row }, at) => presentKey(row, new Map(creator === null ? [] : [[creator.id, creator]]), at),
);

/** The lists of the document by their field, in this order. The audit log follows. */
export const SECTIONS: Readonly<Record<string, Section>> = {
  members,
  projects,
  endpoints,
  subscriptions,
  sources,
  destinations,
  apiKeys,
};
