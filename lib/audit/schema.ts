import * as z from 'zod';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { CREATED_WITHIN, CreatedAt } from '@/lib/platform/instant';
import { PageQuery } from '@/lib/platform/pagination';
import { AUDIT_ACTIONS } from './types';

export const AuditActionName = z.enum(AUDIT_ACTIONS, { error: 'is not an action of the audit log' });

/** An entry of the audit log as the API returns it. */
export const AuditLogEntry = z.object({
  id: Id,
  /** Not the enumeration: an old entry keeps an action that the service does not have any more. */
  action: field(
    z.string(),
    'What was done, such as `api_key.created`. Old entries may have actions that are no longer recorded',
    'api_key.created',
  ),
  actor: field(
    z.object({
      type: field(
        z.enum(['USER', 'API_KEY', 'PORTAL', 'OPERATOR', 'SYSTEM']),
        'A person, an API key, somebody at a customer in the portal, the operator, or the service itself',
      ),
      id: field(Id.nullable(), 'The person, key or customer; null for the operator and the service'),
      email: field(z.string().optional(), 'The person’s email address, while the account exists', 'grace@example.com'),
      name: field(z.string().optional(), 'The name of the key or customer, while it exists', 'Server'),
      hint: field(z.string().optional(), 'The first and last characters of the key', 'eds_4hZk…2m9x'),
    }),
    'Who did it',
  ),
  target: field(
    z.object({
      type: field(z.string(), 'The kind of resource, such as `api_key`', 'api_key'),
      id: field(Id.nullable(), 'The resource; null if it has no id'),
      name: field(
        z.string().optional(),
        'Its name, URL or event type; absent if unknown. For a deleted resource, the last known one',
        'Web shop',
      ),
      exists: field(
        z.boolean(),
        'Whether it can still be opened; false for anything that is neither a project nor part of one',
      ),
    }),
    'What it was done to',
  ),
  organizationId: field(Id.nullable(), 'The organization; null for entries about an account only'),
  organizationName: field(
    z.string().optional(),
    'The name of the organization, while it exists; only in the operator’s log',
    'Analytical Engines',
  ),
  ipAddress: field(z.string().nullable(), 'The IP address of the request; null if unknown', '203.0.113.7'),
  createdAt: CreatedAt,
  details: field(z.record(z.string(), z.unknown()), 'Additional details, by name', { name: 'Server' }),
});
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;

/** `?limit=&cursor=` and the filters of the audit log; `from` and `to` are inclusive. */
export const ListAuditQuery = PageQuery.extend({
  action: field(AuditActionName.optional(), 'Only entries with this action'),
  actorId: field(Id.optional(), 'Only actions by this person or key, or in the portal of this customer'),
  targetId: field(Id.optional(), 'Only actions on this resource or person'),
  ...CREATED_WITHIN,
});
export type ListAuditQuery = z.infer<typeof ListAuditQuery>;

/** The query for the log of one organization. */
export const OrganizationAuditQuery = ListAuditQuery.extend({
  withoutSignIns: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .optional()
    .meta({ openapi: { type: 'boolean' }, description: 'True excludes sessions that were opened or closed' }),
});

/** The same with the format: the log of one organization is also available as CSV. */
export const ReadAuditQuery = OrganizationAuditQuery.extend({
  format: field(
    z.enum(['json', 'csv'], { error: 'must be json or csv' }).optional(),
    '`csv`, or `ndjson` where listed, downloads all matching rows as one file',
  ),
});
