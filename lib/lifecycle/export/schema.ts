import * as z from 'zod';
import { AuditLogEntry } from '@/lib/audit/schema';
import { BulkRetry, Endpoint, Subscription } from '@/lib/delivery/schema';
import { Destination, Replay, Source } from '@/lib/incoming/schema';
import { ApiKey } from '@/lib/keys/schema';
import { Invitation, Member, Project } from '@/lib/orgs/schema';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Time, UpdatedAt } from '@/lib/platform/instant';
import { Tunnel } from '@/lib/tunnel/schema';

const InProject = z.object({ projectId: field(Id, 'The project') });

/*
 * Each section has the fields of the API, so that its resources can be made again, except what is a secret or changes by itself.
 */

/** Without its public address, which is a token. */
export const ExportedSource = Source.omit({ url: true }).extend(InProject.shape);

/** Without its credential. */
export const ExportedDestination = Destination.omit({ auth: true }).extend(InProject.shape);

/** Without its public address, which is a token, and without its connection. */
export const ExportedTunnel = Tunnel.omit({ url: true, online: true }).extend(InProject.shape);

/** The document of an export: a consistent snapshot of the organization, without payloads and secrets. */
export const OrganizationExport = z.object({
  exportedAt: field(Time, 'When the export was made'),
  organization: field(
    z.object({
      id: Id,
      name: field(z.string(), 'Its name', 'Analytical Engines'),
      createdAt: CreatedAt,
      updatedAt: UpdatedAt,
    }),
    'The organization',
  ),
  members: field(z.array(Member), 'The members'),
  invitations: field(z.array(Invitation), 'The invitations that can still be accepted'),
  projects: field(z.array(Project), 'The projects'),
  endpoints: field(z.array(Endpoint.extend(InProject.shape)), 'The endpoints'),
  subscriptions: field(z.array(Subscription.extend(InProject.shape)), 'The subscriptions'),
  sources: field(z.array(ExportedSource), 'The sources'),
  destinations: field(z.array(ExportedDestination), 'The destinations'),
  tunnels: field(z.array(ExportedTunnel), 'The tunnels'),
  apiKeys: field(z.array(ApiKey.extend(InProject.shape)), 'The API keys, without their plaintext'),
  bulkRetries: field(z.array(BulkRetry.extend(InProject.shape)), 'The stored bulk retries'),
  replays: field(z.array(Replay.extend(InProject.shape)), 'The stored replays of incoming events'),
  /** The newest entries; the first is that of the export. */
  auditLogs: field(z.array(AuditLogEntry), 'The newest audit log entries, at most 10,000'),
  auditLogsTruncated: field(z.boolean(), 'Whether there are more entries than this document contains', false),
  /** The number of all entries. */
  auditLogsTotal: field(z.int(), 'Total number of entries'),
});
export type OrganizationExport = z.infer<typeof OrganizationExport>;
