import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { notFound } from '@/lib/platform/errors';

/**
 * Returns the organization a caller acts in: the tenant of every query. @throws AppError not_found when there is none
 */
export function organizationOf(caller: PersonCaller | KeyCaller): string {
  if (caller.organizationId === null) throw notFound('organization');
  return caller.organizationId;
}
