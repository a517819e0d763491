import type { AlertKind } from '@/lib/alerts/schema';
import type { AlertTrigger } from '@/lib/alerts/triggers-policy';
import type { Role } from '@/lib/audit/types';
import type { BodyFormat } from '@/lib/delivery/endpoint-options-policy';
import type { BulkRetryStatus, EventReplaySelect, EventReplayStatus } from '@/lib/delivery/schema';
import type { EventTypeState } from '@/lib/events/schema';
import type { ReplayStatus, SignatureEncoding, Source, SourceProvider } from '@/lib/incoming/schema';
import type { KeyCreator, KeyScope } from '@/lib/keys/schema';
import type { EventTypePolicy } from '@/lib/orgs/schema';
import {
  bigint,
  boolean,
  enumOf,
  enumsOf,
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
import { type Columns, type Statement, statement } from '@/lib/platform/sql/statement';
import type { PortalPermissions } from '@/lib/portal/schema';

// Every column is named: a payload, hash, secret or token is never read.

/** A page of projects, ordered as the index is. */
export const PAGE_OF_PROJECTS = { projects: uuids, afterProject: uuid, after: uuid, limit: bigint };

/** A page of an organization. */
export const PAGE_OF_ORGANIZATION = { organization: uuid, after: uuid, limit: bigint };

/** The condition of tables whose rows are deleted later. */
const UNDELETED = 'AND deleted_at IS NULL';

/**
 * Declares a page of a table's rows of many projects. Each column of the result is the column of the table with its name.
 * @param values the SQL of those that are not
 */
function pageOfTable<C extends Columns>(
  table: string,
  columns: C,
  values: { [Name in keyof C]?: string } = {},
  condition = '',
): Statement<C, typeof PAGE_OF_PROJECTS> {
  const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const selected = Object.keys(columns).map((name) => `${values[name] ?? `${table}.${snakeCase(name)}`} AS "${name}"`);
  const sql = `SELECT ${selected.join(', ')} FROM ${table}
    WHERE ${table}.project_id = ANY($projects::uuid[])
      AND (${table}.project_id, ${table}.id) > ($afterProject::uuid, $after::uuid) ${condition}
    ORDER BY ${table}.project_id, ${table}.id LIMIT $limit`;
  return statement(sql, { params: PAGE_OF_PROJECTS, columns });
}

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
  SELECT id, organization_id AS "organizationId", name, event_type_policy AS "eventTypePolicy", portal_name AS "portalName", portal_accent_color AS "portalAccentColor",
    portal_logo_url AS "portalLogoUrl", portal_logo_hash AS "portalLogoHash", coalesce(portal_allowed_origins, '{}') AS "portalAllowedOrigins",
    created_at AS "createdAt", updated_at AS "updatedAt"
  FROM projects WHERE organization_id = $organization AND deleted_at IS NULL AND id > $after ORDER BY id LIMIT $limit`,
  {
    params: PAGE_OF_ORGANIZATION,
    columns: {
      id: uuid,
      organizationId: uuid,
      name: text,
      eventTypePolicy: enumOf<EventTypePolicy>('EventTypePolicy'),
      portalName: nullable(text),
      portalAccentColor: nullable(text),
      portalLogoUrl: nullable(text),
      portalLogoHash: nullable(text),
      portalAllowedOrigins: texts,
      ...TIMES,
    },
  },
);

export const selectCustomers = pageOfTable(
  'customers',
  {
    ...IN_PROJECT,
    uid: text,
    name: nullable(text),
    metadata: jsonOf<Record<string, string>>(),
    endpointCount: integer,
    ...TIMES,
  },
  {
    endpointCount:
      '(SELECT count(*)::int FROM endpoints e WHERE e.customer_id = customers.id AND e.deleted_at IS NULL)',
  },
  UNDELETED,
);

export const selectEndpoints = pageOfTable(
  'endpoints',
  {
    ...IN_PROJECT,
    uid: nullable(text),
    url: text,
    description: nullable(text),
    metadata: jsonOf<Record<string, string>>(),
    headerNames: texts,
    signature: nullable(jsonOf<{ profile: string }>()),
    bodyFormat: enumOf<BodyFormat>('BodyFormat'),
    filter: nullable(text),
    rateRequests: nullable(integer),
    rateSeconds: nullable(integer),
    customerId: nullable(uuid),
    customerUid: nullable(text),
    receivesCustomerEvents: boolean,
    enabled: boolean,
    disabledReason: nullable(text),
    pauseReason: nullable(text),
    disabledAt: nullable(timestamp),
    failingSince: nullable(timestamp),
    retrySeconds: integers,
    ...TIMES,
  },
  {
    retrySeconds: `coalesce(retry_seconds, '{}')`,
    headerNames: `coalesce(header_names, '{}')`,
    customerUid: '(SELECT c.uid FROM customers c WHERE c.id = endpoints.customer_id)',
  },
  UNDELETED,
);

export const selectSubscriptions = pageOfTable('subscriptions', {
  ...IN_PROJECT,
  endpointId: uuid,
  eventType: text,
  enabled: boolean,
  ...TIMES,
});

export const selectSources = pageOfTable(
  'sources',
  {
    ...IN_PROJECT,
    name: text,
    provider: enumOf<SourceProvider>('SourceProvider'),
    previousUrlExpiresAt: nullable(timestamp),
    hasSecret: boolean,
    previousSecretExpiresAt: nullable(timestamp),
    signatureHeader: nullable(text),
    signatureEncoding: nullable(textOf<SignatureEncoding>()),
    signaturePrefix: nullable(text),
    signatureKey: nullable(text),
    signatureAlgorithm: nullable(textOf<NonNullable<Source['signatureAlgorithm']>>()),
    signedContent: nullable(text),
    timestampHeader: nullable(text),
    timestampKey: nullable(text),
    idHeader: nullable(text),
    secretEncoding: nullable(textOf<NonNullable<Source['secretEncoding']>>()),
    metadata: jsonOf<Record<string, string>>(),
    enabled: boolean,
    ...TIMES,
  },
  { previousUrlExpiresAt: 'previous_token_expires_at', hasSecret: 'secret_encrypted IS NOT NULL' },
  UNDELETED,
);

export const selectDestinations = pageOfTable(
  'destinations',
  {
    ...IN_PROJECT,
    sourceId: uuid,
    url: text,
    description: nullable(text),
    metadata: jsonOf<Record<string, string>>(),
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
  { retrySeconds: `coalesce(retry_seconds, '{}')`, hasSecret: 'secret_encrypted IS NOT NULL' },
  UNDELETED,
);

export const selectTunnels = pageOfTable(
  'tunnels',
  {
    ...IN_PROJECT,
    name: text,
    basicAuthUsername: nullable(text),
    allowedCidrs: texts,
    testStatus: nullable(integer),
    testDelaySeconds: nullable(integer),
    lastSeenAt: nullable(timestamp),
    ...TIMES,
  },
  { allowedCidrs: `coalesce(allowed_cidrs, '{}')` },
);

export const selectPortalSessions = pageOfTable(
  'portal_sessions',
  {
    ...IN_PROJECT,
    customerId: uuid,
    permissions: enumOf<PortalPermissions>('PortalPermissions'),
    sessionSeconds: integer,
    isOpen: boolean,
    expiresAt: timestamp,
    createdAt: timestamp,
  },
  { isOpen: 'token_hash IS NOT NULL' },
);

export const selectKeys = pageOfTable(
  'api_keys',
  {
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
    lastUsedFrom: nullable(text),
    createdAt: timestamp,
    replacedBy: nullable(jsonOf<{ id: string }>()),
    creator: nullable(jsonOf<KeyCreator>()),
  },
  {
    lastUsedAt: '(SELECT u.last_used_at FROM key_uses u WHERE u.key_id = api_keys.id)',
    lastUsedFrom: '(SELECT u.last_used_from FROM key_uses u WHERE u.key_id = api_keys.id)',
    replacedBy: `(SELECT jsonb_build_object('id', r.id) FROM api_keys r WHERE r.replaces_id = api_keys.id)`,
    creator: `(SELECT jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email)
      FROM projects p JOIN memberships m ON m.organization_id = p.organization_id AND m.user_id = created_by_id
      JOIN users u ON u.id = m.user_id WHERE p.id = api_keys.project_id)`,
  },
);

export const selectAlerts = pageOfTable(
  'alerts',
  {
    ...IN_PROJECT,
    name: text,
    kind: enumOf<AlertKind>('AlertKind'),
    address: nullable(text),
    triggers: nullable(enumsOf<AlertTrigger>('AlertTrigger')),
    enabled: boolean,
    disabledReason: nullable(text),
    mutedUntil: nullable(timestamp),
    lastSentAt: nullable(timestamp),
    firedAt: jsonOf<Partial<Record<AlertTrigger, string>>>(),
    ...TIMES,
  },
  {
    address: `(SELECT u.email FROM projects p JOIN memberships m ON m.organization_id = p.organization_id AND m.user_id = alerts.user_id
      JOIN users u ON u.id = m.user_id WHERE p.id = alerts.project_id)`,
  },
);

export const selectBulkRetries = pageOfTable('bulk_retries', {
  ...IN_PROJECT,
  filter: jsonOf<Record<string, string>>(),
  status: enumOf<BulkRetryStatus>('BulkRetryStatus'),
  total: integer,
  retried: integer,
  skippedPending: integer,
  skippedDisabled: integer,
  skippedDeleted: integer,
  skippedGone: integer,
  failedTries: integer,
  error: nullable(text),
  createdAt: timestamp,
  completedAt: nullable(timestamp),
});

export const selectEventTypes = pageOfTable(
  'event_types',
  {
    ...IN_PROJECT,
    name: text,
    description: nullable(text),
    group: nullable(text),
    status: enumOf<EventTypeState>('EventTypeStatus'),
    schema: nullable(text),
    example: nullable(text),
    ...TIMES,
  },
  { group: 'event_types.group_name' },
);

export const selectEventReplays = pageOfTable('event_replays', {
  ...IN_PROJECT,
  status: enumOf<EventReplayStatus>('EventReplayStatus'),
  selection: enumOf<EventReplaySelect>('EventReplaySelect'),
  createdFrom: timestamp,
  createdTo: timestamp,
  endpointId: nullable(uuid),
  customerId: nullable(uuid),
  eventType: nullable(text),
  total: integer,
  checked: integer,
  sent: integer,
  skippedPending: integer,
  skippedDisabled: integer,
  skippedDeleted: integer,
  skippedGone: integer,
  failedTries: integer,
  error: nullable(text),
  createdAt: timestamp,
  completedAt: nullable(timestamp),
});

export const selectReplays = pageOfTable('incoming_event_replays', {
  ...IN_PROJECT,
  sourceId: uuid,
  destinationId: nullable(uuid),
  createdFrom: nullable(timestamp),
  createdTo: timestamp,
  status: enumOf<ReplayStatus>('ReplayStatus'),
  total: integer,
  replayed: integer,
  failedTries: integer,
  error: nullable(text),
  createdAt: timestamp,
  completedAt: nullable(timestamp),
});

/** Reads an organization. `at` is the time of the snapshot if this is its first statement. */
export const findHead = statement(
  `SELECT id, name, created_at, updated_at, clock_timestamp() AS at
   FROM organizations WHERE id = $organization AND deleted_at IS NULL`,
  {
    params: { organization: uuid },
    columns: { id: uuid, name: text, created_at: timestamp, updated_at: timestamp, at: timestamp },
  },
);
