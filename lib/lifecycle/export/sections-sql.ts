import type { Role } from '@/lib/audit/types';
import type { BulkRetryStatus } from '@/lib/delivery/schema';
import type { ReplayStatus, SignatureEncoding, SourceProvider } from '@/lib/incoming/schema';
import type { KeyCreator, KeyScope } from '@/lib/keys/schema';
import {
  bigint,
  boolean,
  enumOf,
  integer,
  integers,
  jsonOf,
  nullable,
  text,
  textOf,
  texts,
  timestamp,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

// Every column is named: a payload, hash, secret or token is never read.

const pageOfProjects = (table: string, condition = '') => `
  WHERE ${table}.project_id = ANY($projects::uuid[])
    AND (${table}.project_id, ${table}.id) > ($afterProject::uuid, $after::uuid) ${condition}
  ORDER BY ${table}.project_id, ${table}.id LIMIT $limit`;

/** A page of projects, ordered as the index is. */
export const PAGE_OF_PROJECTS = { projects: uuids, afterProject: uuid, after: uuid, limit: bigint };

/** A page of an organization. */
export const PAGE_OF_ORGANIZATION = { organization: uuid, after: uuid, limit: bigint };

const TIMES = { createdAt: timestamp, updatedAt: timestamp };
const IN_PROJECT = { id: uuid, projectId: uuid };

/** Selects a page of the ids of an organization's projects. */
export const selectProjectIds = statement(
  `
  SELECT id FROM projects WHERE organization_id = $organization AND deleted_at IS NULL AND id > $after ORDER BY id LIMIT $limit`,
  { params: PAGE_OF_ORGANIZATION, columns: { id: uuid } },
);

export const selectMembers = statement(
  `
  SELECT u.id, u.email, u.name, m.role, m.created_at AS "createdAt"
  FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.organization_id = $organization AND m.user_id > $after ORDER BY m.user_id LIMIT $limit`,
  {
    params: PAGE_OF_ORGANIZATION,
    columns: { id: uuid, email: text, name: nullable(text), role: enumOf<Role>('Role'), createdAt: timestamp },
  },
);

export const selectProjects = statement(
  `
  SELECT id, organization_id AS "organizationId", name, created_at AS "createdAt", updated_at AS "updatedAt"
  FROM projects WHERE organization_id = $organization AND deleted_at IS NULL AND id > $after ORDER BY id LIMIT $limit`,
  { params: PAGE_OF_ORGANIZATION, columns: { id: uuid, organizationId: uuid, name: text, ...TIMES } },
);

export const selectEndpoints = statement(
  `SELECT id, project_id AS "projectId", url, description, enabled, disabled_reason AS "disabledReason",
          pause_reason AS "pauseReason",
     disabled_at AS "disabledAt", failing_since AS "failingSince", coalesce(retry_seconds, '{}') AS "retrySeconds",
     created_at AS "createdAt", updated_at AS "updatedAt"
   FROM endpoints ${pageOfProjects('endpoints', 'AND deleted_at IS NULL')}`,
  {
    params: PAGE_OF_PROJECTS,
    columns: {
      ...IN_PROJECT,
      url: text,
      description: nullable(text),
      enabled: boolean,
      disabledReason: nullable(text),
      pauseReason: nullable(text),
      disabledAt: nullable(timestamp),
      failingSince: nullable(timestamp),
      retrySeconds: integers,
      ...TIMES,
    },
  },
);

export const selectSubscriptions = statement(
  `SELECT id, project_id AS "projectId", endpoint_id AS "endpointId", event_type AS "eventType", enabled,
     created_at AS "createdAt", updated_at AS "updatedAt"
   FROM subscriptions ${pageOfProjects('subscriptions')}`,
  {
    params: PAGE_OF_PROJECTS,
    columns: { ...IN_PROJECT, endpointId: uuid, eventType: text, enabled: boolean, ...TIMES },
  },
);

export const selectSources = statement(
  `SELECT id, project_id AS "projectId", name, provider, previous_token_expires_at AS "previousUrlExpiresAt",
     secret_encrypted IS NOT NULL AS "hasSecret", previous_secret_expires_at AS "previousSecretExpiresAt",
     signature_header AS "signatureHeader", signature_encoding AS "signatureEncoding", signature_prefix AS "signaturePrefix",
     enabled, created_at AS "createdAt", updated_at AS "updatedAt"
   FROM sources ${pageOfProjects('sources', 'AND deleted_at IS NULL')}`,
  {
    params: PAGE_OF_PROJECTS,
    columns: {
      ...IN_PROJECT,
      name: text,
      provider: enumOf<SourceProvider>('SourceProvider'),
      previousUrlExpiresAt: nullable(timestamp),
      hasSecret: boolean,
      previousSecretExpiresAt: nullable(timestamp),
      signatureHeader: nullable(text),
      signatureEncoding: nullable(textOf<SignatureEncoding>()),
      signaturePrefix: nullable(text),
      enabled: boolean,
      ...TIMES,
    },
  },
);

export const selectDestinations = statement(
  `SELECT id, project_id AS "projectId", source_id AS "sourceId", url, description, enabled,
     coalesce(retry_seconds, '{}') AS "retrySeconds", disabled_reason AS "disabledReason",
     pause_reason AS "pauseReason", disabled_at AS "disabledAt", failing_since AS "failingSince",
     secret_encrypted IS NOT NULL AS "hasSecret", previous_secret_expires_at AS "previousSecretExpiresAt",
     created_at AS "createdAt", updated_at AS "updatedAt"
   FROM destinations ${pageOfProjects('destinations', 'AND deleted_at IS NULL')}`,
  {
    params: PAGE_OF_PROJECTS,
    columns: {
      ...IN_PROJECT,
      sourceId: uuid,
      url: text,
      description: nullable(text),
      enabled: boolean,
      retrySeconds: integers,
      disabledReason: nullable(text),
      pauseReason: nullable(text),
      disabledAt: nullable(timestamp),
      failingSince: nullable(timestamp),
      hasSecret: boolean,
      previousSecretExpiresAt: nullable(timestamp),
      ...TIMES,
    },
  },
);

export const selectTunnels = statement(
  `SELECT id, project_id AS "projectId", name, basic_auth_username AS "basicAuthUsername",
     coalesce(allowed_cidrs, '{}') AS "allowedCidrs", test_status AS "testStatus",
     test_delay_seconds AS "testDelaySeconds", last_seen_at AS "lastSeenAt",
     created_at AS "createdAt", updated_at AS "updatedAt"
   FROM tunnels ${pageOfProjects('tunnels')}`,
  {
    params: PAGE_OF_PROJECTS,
    columns: {
      ...IN_PROJECT,
      name: text,
      basicAuthUsername: nullable(text),
      allowedCidrs: texts,
      testStatus: nullable(integer),
      testDelaySeconds: nullable(integer),
      lastSeenAt: nullable(timestamp),
      ...TIMES,
    },
  },
);

export const selectKeys = statement(
  `SELECT api_keys.id, api_keys.project_id AS "projectId", api_keys.name, scope, hint, expires_at AS "expiresAt",
     revoked_at AS "revokedAt", grace_ends_at AS "graceEndsAt", replaces_id AS "replacesId",
     created_by_id AS "createdById", last_used_at AS "lastUsedAt", api_keys.created_at AS "createdAt",
     (SELECT jsonb_build_object('id', r.id) FROM api_keys r WHERE r.replaces_id = api_keys.id) AS "replacedBy",
     (SELECT jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email)
      FROM projects p JOIN memberships m ON m.organization_id = p.organization_id AND m.user_id = created_by_id
      JOIN users u ON u.id = m.user_id WHERE p.id = api_keys.project_id) AS creator
   FROM api_keys ${pageOfProjects('api_keys')}`,
  {
    params: PAGE_OF_PROJECTS,
    columns: {
      ...IN_PROJECT,
      name: text,
      scope: enumOf<KeyScope>('KeyScope'),
      hint: text,
      expiresAt: nullable(timestamp),
      revokedAt: nullable(timestamp),
      graceEndsAt: nullable(timestamp),
      replacesId: nullable(uuid),
      createdById: nullable(uuid),
      lastUsedAt: nullable(timestamp),
      createdAt: timestamp,
      replacedBy: nullable(jsonOf<{ id: string }>()),
      creator: nullable(jsonOf<KeyCreator>()),
    },
  },
);

export const selectBulkRetries = statement(
  `SELECT id, project_id AS "projectId", filter, status, total, retried, skipped_pending AS "skippedPending",
     skipped_disabled AS "skippedDisabled", skipped_deleted AS "skippedDeleted", skipped_gone AS "skippedGone",
     created_at AS "createdAt", completed_at AS "completedAt"
   FROM bulk_retries ${pageOfProjects('bulk_retries')}`,
  {
    params: PAGE_OF_PROJECTS,
    columns: {
      ...IN_PROJECT,
      filter: jsonOf<Record<string, string>>(),
      status: enumOf<BulkRetryStatus>('BulkRetryStatus'),
      total: integer,
      retried: integer,
      skippedPending: integer,
      skippedDisabled: integer,
      skippedDeleted: integer,
      skippedGone: integer,
      createdAt: timestamp,
      completedAt: nullable(timestamp),
    },
  },
);

export const selectReplays = statement(
  `SELECT id, project_id AS "projectId", source_id AS "sourceId", destination_id AS "destinationId",
     created_from AS "createdFrom", created_to AS "createdTo", status, total, replayed, error,
     created_at AS "createdAt", completed_at AS "completedAt"
   FROM incoming_event_replays ${pageOfProjects('incoming_event_replays')}`,
  {
    params: PAGE_OF_PROJECTS,
    columns: {
      ...IN_PROJECT,
      sourceId: uuid,
      destinationId: nullable(uuid),
      createdFrom: nullable(timestamp),
      createdTo: timestamp,
      status: enumOf<ReplayStatus>('ReplayStatus'),
      total: integer,
      replayed: integer,
      error: nullable(text),
      createdAt: timestamp,
      completedAt: nullable(timestamp),
    },
  },
);

/** Locks an organization against deletion. Returns a row unless it is deleted. */
export const holdOrganization = statement(
  'SELECT FROM organizations WHERE id = $organization AND deleted_at IS NULL FOR SHARE',
  { params: { organization: uuid } },
);

/** Reads an organization. `at` is the time of the snapshot if this is its first statement. */
export const findHead = statement(
  `SELECT id, name, created_at, updated_at, clock_timestamp() AS at
   FROM organizations WHERE id = $organization AND deleted_at IS NULL`,
  {
    params: { organization: uuid },
    columns: { id: uuid, name: text, created_at: timestamp, updated_at: timestamp, at: timestamp },
  },
);
