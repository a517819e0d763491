import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { CreatedAt, Instant } from '@/lib/platform/instant';
import { PageQuery } from '@/lib/platform/pagination';
import { AUDIT_ACTIONS } from './types';

export const AuditActionName = z.enum(AUDIT_ACTIONS, { error: 'is not an action of the audit log' });

/** An entry of the audit log as the API returns it. */
export const AuditLogEntry = z.object({
  id: Id,
  /** Not the enumeration: an old entry keeps an action that the service does not have any more. */
  action: z.string().meta({
    description: 'What was done, such as `api_key.created`. Old entries may have actions that are no longer recorded',
    examples: ['api_key.created'],
  }),
  actor: z
    .object({
      type: z
        .enum(['USER', 'API_KEY', 'OPERATOR', 'SYSTEM'])
        .meta({ description: 'A person, an API key, the operator, or the service itself' }),
      id: Id.nullable().meta({ description: 'The person or key; null for the operator and the service' }),
      email: z
        .string()
        .optional()
        .meta({ description: 'The person’s email address, while the account exists', examples: ['grace@example.com'] }),
    })
    .meta({ description: 'Who did it' }),
  target: z
    .object({
      type: z.string().meta({ description: 'The kind of resource, such as `api_key`', examples: ['api_key'] }),
      id: Id.nullable().meta({ description: 'The resource; null if it has no id' }),
      name: z
        .string()
        .optional()
        .meta({
          description: 'Its name, URL or event type; absent if unknown. For a deleted resource, the last known one',
          examples: ['Web shop'],
        }),
      exists: z.boolean().meta({
        description: 'Whether it can still be opened; false for anything that is neither a project nor part of one',
      }),
    })
    .meta({ description: 'What it was done to' }),
  organizationId: Id.nullable().meta({ description: 'The organization; null for entries about an account only' }),
  organizationName: z
    .string()
    .optional()
    .meta({
      description: 'The name of the organization, while it exists; only in the operator’s log',
      examples: ['Analytical Engines'],
    }),
  ipAddress: z
    .string()
    .nullable()
    .meta({ description: 'The IP address of the request; null if unknown', examples: ['203.0.113.7'] }),
  createdAt: CreatedAt,
  details: z
    .record(z.string(), z.unknown())
    .meta({ description: 'Additional details, by name', examples: [{ name: 'Server' }] }),
});
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;

/** `?limit=&cursor=` and the filters of the audit log; `from` and `to` are inclusive. */
export const ListAuditQuery = PageQuery.extend({
  action: AuditActionName.optional().meta({ description: 'Only entries with this action' }),
  actorId: Id.optional().meta({ description: 'Only actions by this person or key' }),
  from: Instant.optional().meta({ description: 'Only items created at or after this time' }),
  to: Instant.optional().meta({ description: 'Only items created at or before this time' }),
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
  format: z
    .enum(['json', 'csv'], { error: 'must be json or csv' })
    .optional()
    .meta({ description: '`csv`, or `ndjson` where listed, downloads all matching rows as one file' }),
});
