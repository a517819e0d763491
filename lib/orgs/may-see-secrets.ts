import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { may } from './permissions-policy';

/**
 * Whether a caller may see what makes a request pass for a sender's: signatures, the URLs of sources, and tokens in query strings.
 * Those who may not retry or replay must not get the same by sending it themselves.
 */
export function maySeeSecrets(caller: PersonCaller | KeyCaller): boolean {
  if (caller.type === 'key') return caller.scope === 'READ_WRITE';
  return caller.role !== null && may(caller.role, 'endpoint.secret');
}
