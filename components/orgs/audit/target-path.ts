import type { AuditLogEntry } from '@/lib/audit/schema';

const LISTS: Record<string, string> = { subscription: 'subscriptions', api_key: 'keys' };
const PAGES: Record<string, string> = { endpoint: 'endpoints', source: 'sources', tunnel: 'tunnels' };

/** Returns the page of an entry's target: its own, or the list that it is in. Null when it does not exist any more. */
export function targetPath({ target, details }: Pick<AuditLogEntry, 'target' | 'details'>): string | null {
  const { type, id, exists } = target;
  if (!exists || id === null) return null;
  if (type === 'project') return `/projects/${id}`;
  const { projectId, sourceId } = details;
  if (typeof projectId !== 'string') return null;
  if (PAGES[type] !== undefined) return `/projects/${projectId}/${PAGES[type]}/${id}`;
  if (LISTS[type] !== undefined) return `/projects/${projectId}/${LISTS[type]}`;
  if (type === 'destination' && typeof sourceId === 'string') return `/projects/${projectId}/sources/${sourceId}`;
  return null;
}
