import type { Role } from '@/components/projects/role-disabled-reason';
import { ROLES } from '@/lib/audit/types';

/** What each role may do, in the words shown beside it (CONTRACT 1, Roles; what counts stands in the permissions table). */
export const ROLE_LABELS: Record<Role, { label: string; description: string }> = {
  VIEWER: { label: 'Viewer', description: 'Reads everything in the projects, changes nothing.' },
  DEVELOPER: {
    label: 'Developer',
    description: 'Also works inside projects: keys, endpoints, subscriptions, retries.',
  },
  ADMIN: { label: 'Admin', description: 'Also makes projects, invites and manages members, reads the audit log.' },
  OWNER: { label: 'Owner', description: 'Does everything: also makes owners, exports and deletes the organization.' },
};

export const ROLE_OPTIONS = ROLES.map((value) => ({ value, ...ROLE_LABELS[value] }));

/** "an admin", "a viewer". */
export function withArticle(role: Role): string {
  const word = ROLE_LABELS[role].label.toLowerCase();
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;
}
