import * as z from 'zod';
import { AuditLogEntry } from '@/lib/audit/schema';
import { BulkRetry, Endpoint, Subscription } from '@/lib/delivery/schema';
import { Destination, Replay, Source } from '@/lib/incoming/schema';
import { ApiKey } from '@/lib/keys/schema';
import { Invitation, Member, Project } from '@/lib/orgs/schema';
import { Id } from '@/lib/platform/ids';
import { Tunnel } from '@/lib/tunnel/schema';

const InProject = z.object({ projectId: Id });

/*
 * Each section has the fields of the API, so that its resources can be made again, except what is a secret or changes by itself.
 */

/** Without its public address, which is a token. */
export const ExportedSource = Source.omit({ url: true }).extend(InProject.shape);
export type ExportedSource = z.infer<typeof ExportedSource>;

/** Without its credential. */
export const ExportedDestination = Destination.omit({ auth: true }).extend(InProject.shape);
export type ExportedDestination = z.infer<typeof ExportedDestination>;

/** Without its public address, which is a token, and without its connection. */
export const ExportedTunnel = Tunnel.omit({ url: true, online: true }).extend(InProject.shape);
export type ExportedTunnel = z.infer<typeof ExportedTunnel>;

/** The document of an export: a consistent snapshot of the organization, without payloads and secrets. */
export const OrganizationExport = z.object({
  exportedAt: z.string(),
  organization: z.object({ id: Id, name: z.string(), createdAt: z.string(), updatedAt: z.string() }),
  members: z.array(Member),
  invitations: z.array(Invitation),
  projects: z.array(Project),
  endpoints: z.array(Endpoint.extend(InProject.shape)),
  subscriptions: z.array(Subscription.extend(InProject.shape)),
  sources: z.array(ExportedSource),
  destinations: z.array(ExportedDestination),
  tunnels: z.array(ExportedTunnel),
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
