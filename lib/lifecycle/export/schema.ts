import * as z from 'zod';
import { AuditLogEntry } from '@/lib/audit/schema';
import { BulkRetry, Endpoint, Subscription } from '@/lib/delivery/schema';
import { Replay } from '@/lib/incoming/schema';
import { ApiKey } from '@/lib/keys/schema';
import { Member, Project } from '@/lib/orgs/schema';
import { Id } from '@/lib/platform/ids';

const InProject = z.object({ projectId: Id });

/** A source without its public address, which is a token, and without its secret. */
export const ExportedSource = InProject.extend({
  id: Id,
  name: z.string(),
  provider: z.string(),
  signatureHeader: z.string().nullable(),
  signatureEncoding: z.string().nullable(),
  enabled: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ExportedSource = z.infer<typeof ExportedSource>;

/** A destination without its credential and secrets. */
export const ExportedDestination = InProject.extend({
  id: Id,
  sourceId: Id,
  url: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  retrySeconds: z.array(z.int()),
  disabledReason: z.string().nullable(),
  pauseReason: z.string().nullable(),
  disabledAt: z.string().nullable(),
  failingSince: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ExportedDestination = z.infer<typeof ExportedDestination>;

/** The document of an export: a consistent snapshot of the organization, without payloads and secrets. */
export const OrganizationExport = z.object({
  exportedAt: z.string(),
  organization: z.object({ id: Id, name: z.string(), createdAt: z.string(), updatedAt: z.string() }),
  members: z.array(Member),
  projects: z.array(Project),
  endpoints: z.array(Endpoint.extend(InProject.shape)),
  subscriptions: z.array(Subscription.extend(InProject.shape)),
  sources: z.array(ExportedSource),
  destinations: z.array(ExportedDestination),
  apiKeys: z.array(ApiKey.extend(InProject.shape)),
  bulkRetries: z.array(BulkRetry.extend(InProject.shape)),
  replays: z.array(Replay.extend(InProject.shape)),
  /** The newest entries; the first is that of the export. */
  auditLogs: z.array(AuditLogEntry),
  auditLogsTruncated: z.boolean(),
  /** The number of all entries. */
  auditLogsTotal: z.int(),
});
export type OrganizationExport = z.infer<typeof OrganizationExport>;
