import type { Role } from '@/components/projects/role-disabled-reason';
import { ROLES } from '@/lib/audit/types';

/** The label and description of each role. permissions-policy.ts decides what a role can do. */
export const ROLE_LABELS: Record<Role, { label: string; description: string }> = {
  VIEWER: { label: 'Viewer', description: 'Can view projects but not change them.' },
  DEVELOPER: {
    label: 'Developer',
    description: 'Can also manage keys, endpoints and subscriptions, and retry deliveries.',
  },
  ADMIN: { label: 'Admin', description: 'Can also create projects, manage members and read the audit log.' },
  OWNER: {
    label: 'Owner',
    description: 'Full access, including adding owners and exporting or deleting the organization.',
  },
};

export const ROLE_OPTIONS = ROLES.map((value) => ({ value, ...ROLE_LABELS[value] }));

/** Returns the role with its article: "an admin", "a viewer". */
export function withArticle(role: Role): string {
  const word = ROLE_LABELS[role].label.toLowerCase();
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;
}
