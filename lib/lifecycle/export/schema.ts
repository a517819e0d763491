import * as z from 'zod';
import { AuditLogEntry } from '@/lib/audit/schema';
import { BulkRetry, Endpoint, Subscription } from '@/lib/delivery/schema';
import { Destination, Replay, Source } from '@/lib/incoming/schema';
import { ApiKey } from '@/lib/keys/schema';
import { Invitation, Member, Project } from '@/lib/orgs/schema';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Time, UpdatedAt } from '@/lib/platform/instant';
import { Tunnel } from '@/lib/tunnel/schema';

const InProject = z.object({ projectId: Id.meta({ description: 'The project' }) });

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
  exportedAt: Time.meta({ description: 'When the export was made' }),
  organization: z
    .object({
      id: Id,
      name: z.string().meta({ description: 'Its name', examples: ['Analytical Engines'] }),
      createdAt: CreatedAt,
      updatedAt: UpdatedAt,
    })
    .meta({ description: 'The organization' }),
  members: z.array(Member).meta({ description: 'The members' }),
  invitations: z.array(Invitation).meta({ description: 'The invitations that can still be accepted' }),
  projects: z.array(Project).meta({ description: 'The projects' }),
  endpoints: z.array(Endpoint.extend(InProject.shape)).meta({ description: 'The endpoints' }),
  subscriptions: z.array(Subscription.extend(InProject.shape)).meta({ description: 'The subscriptions' }),
  sources: z.array(ExportedSource).meta({ description: 'The sources' }),
  destinations: z.array(ExportedDestination).meta({ description: 'The destinations' }),
  tunnels: z.array(ExportedTunnel).meta({ description: 'The tunnels' }),
  apiKeys: z.array(ApiKey.extend(InProject.shape)).meta({ description: 'The API keys, without their plaintext' }),
  bulkRetries: z.array(BulkRetry.extend(InProject.shape)).meta({ description: 'The stored bulk retries' }),
  replays: z.array(Replay.extend(InProject.shape)).meta({ description: 'The stored replays of incoming events' }),
  /** The newest entries; the first is that of the export. */
  auditLogs: z.array(AuditLogEntry).meta({ description: 'The newest audit log entries, at most 10,000' }),
  auditLogsTruncated: z
    .boolean()
    .meta({ description: 'Whether there are more entries than this document contains', examples: [false] }),
  /** The number of all entries. */
  auditLogsTotal: z.int().meta({ description: 'Total number of entries' }),
});
export type OrganizationExport = z.infer<typeof OrganizationExport>;
