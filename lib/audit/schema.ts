import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { Instant } from '@/lib/platform/instant';
import { PageQuery } from '@/lib/platform/pagination';
import { AUDIT_ACTIONS } from './types';

export const AuditActionName = z.enum(AUDIT_ACTIONS, { error: 'is not an action of the audit log' });

/** One entry of the audit log as it is read (CONTRACT 3). */
export const AuditLogEntry = z.object({
  id: Id,
  /** Not the enumeration: an entry outlives the word for it. */
  action: z.string(),
  actor: z.object({
    type: z.enum(['USER', 'API_KEY', 'OPERATOR', 'SYSTEM']),
    id: Id.nullable(),
    /** Of a person whose account lives. */
    email: z.string().optional(),
  }),
  target: z.object({ type: z.string(), id: Id.nullable() }),
  organizationId: Id.nullable(),
  ipAddress: z.string().nullable(),
  createdAt: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;

/** `?limit=&cursor=` and the filters of the audit log; both times belong to the range. */
export const ListAuditQuery = PageQuery.extend({
  action: AuditActionName.optional(),
  actorId: Id.optional(),
  from: Instant.optional(),
  to: Instant.optional(),
});
export type ListAuditQuery = z.infer<typeof ListAuditQuery>;

/** The same of an organization's own, which can be had as a file too. */
export const ReadAuditQuery = ListAuditQuery.extend({
  format: z.enum(['json', 'csv'], { error: 'must be json or csv' }).optional(),
});
