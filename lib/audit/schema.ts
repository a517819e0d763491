import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { Instant } from '@/lib/platform/instant';
import { PageQuery } from '@/lib/platform/pagination';
import { AUDIT_ACTIONS } from './types';

export const AuditActionName = z.enum(AUDIT_ACTIONS, { error: 'is not an action of the audit log' });

/** An entry of the audit log as the API returns it. */
export const AuditLogEntry = z.object({
  id: Id,
  /** Not the enumeration: an old entry keeps an action that the service does not have any more. */
  action: z.string().meta({
    description: 'What was done, such as `api_key.created`. Old entries may have actions that are no longer recorded',
  }),
  actor: z.object({
    type: z.enum(['USER', 'API_KEY', 'OPERATOR', 'SYSTEM']),
    id: Id.nullable(),
    email: z.string().optional().meta({ description: 'The person’s email address, while the account exists' }),
  }),
  target: z.object({
    type: z.string(),
    id: Id.nullable(),
    name: z.string().optional(),
    exists: z.boolean(),
  }),
  organizationId: Id.nullable(),
  organizationName: z.string().optional(),
  ipAddress: z.string().nullable(),
  createdAt: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;

/** `?limit=&cursor=` and the filters of the audit log; `from` and `to` are inclusive. */
export const ListAuditQuery = PageQuery.extend({
  action: AuditActionName.optional(),
  actorId: Id.optional(),
  from: Instant.optional(),
  to: Instant.optional(),
});
export type ListAuditQuery = z.infer<typeof ListAuditQuery>;

/** The query for the log of one organization. */
export const OrganizationAuditQuery = ListAuditQuery.extend({
  withoutSignIns: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .optional(),
});

/** The same with the format: the log of one organization is also available as CSV. */
export const ReadAuditQuery = OrganizationAuditQuery.extend({
  format: z.enum(['json', 'csv'], { error: 'must be json or csv' }).optional(),
});
