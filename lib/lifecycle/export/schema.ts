import * as z from 'zod';
import { Alert } from '@/lib/alerts/schema';
import { AuditLogEntry } from '@/lib/audit/schema';
import { Customer } from '@/lib/customers/schema';
import { BulkRetry, Endpoint, EventReplay, Subscription } from '@/lib/delivery/schema';
import { CatalogueType } from '@/lib/events/schema';
import { Destination, Replay, Source } from '@/lib/incoming/schema';
import { ApiKey } from '@/lib/keys/schema';
import { Invitation, Member, Project } from '@/lib/orgs/schema';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Time, UpdatedAt } from '@/lib/platform/instant';
import { PortalPermissions } from '@/lib/portal/schema';
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

/** Without what opens it. */
export const ExportedPortalSession = z.object({
  id: Id,
  customerId: field(Id, 'The customer'),
  permissions: field(PortalPermissions, 'What it permits', 'MANAGE'),
  sessionSeconds: field(z.int(), 'How long the session lasts once the link is opened', 3_600),
  isOpen: field(z.boolean(), 'Whether the link was opened'),
  expiresAt: field(Time, 'When the session expires; the link, if it was not opened'),
  createdAt: CreatedAt,
});

/** Without what changes by itself. */
export const ExportedEventType = CatalogueType.omit({ mismatches: true, lastSeenAt: true }).extend({ id: Id });

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
  customers: field(z.array(Customer.extend(InProject.shape)), 'The customers'),
  portalSessions: field(
    z.array(ExportedPortalSession.extend(InProject.shape)),
    'The links to portals and their sessions, without what opens them',
  ),
  eventTypes: field(z.array(ExportedEventType.extend(InProject.shape)), 'The event types of the catalogues'),
  endpoints: field(z.array(Endpoint.extend(InProject.shape)), 'The endpoints'),
  subscriptions: field(z.array(Subscription.extend(InProject.shape)), 'The subscriptions'),
  sources: field(z.array(ExportedSource), 'The sources'),
  destinations: field(z.array(ExportedDestination), 'The destinations'),
  tunnels: field(z.array(ExportedTunnel), 'The tunnels'),
  apiKeys: field(z.array(ApiKey.extend(InProject.shape)), 'The API keys, without their plaintext'),
  alerts: field(z.array(Alert.extend(InProject.shape)), 'The alerts, without the URLs that they tell'),
  bulkRetries: field(z.array(BulkRetry.extend(InProject.shape)), 'The stored bulk retries'),
  eventReplays: field(z.array(EventReplay.extend(InProject.shape)), 'The stored event replays'),
  replays: field(z.array(Replay.extend(InProject.shape)), 'The stored replays of incoming events'),
  /** The newest entries; the first is that of the export. */
  auditLogs: field(z.array(AuditLogEntry), 'The newest audit log entries, at most 10,000'),
  auditLogsTruncated: field(z.boolean(), 'Whether there are more entries than this document contains', false),
  auditLogsTotal: field(z.int(), 'Total number of entries, counted up to 1,000,000'),
});
export type OrganizationExport = z.infer<typeof OrganizationExport>;
