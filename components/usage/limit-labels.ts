import type { OrganizationLimit, ProjectLimit } from '@/lib/usage/schema';

/** What a limit counts, as the pages name it. */
export const LIMIT_LABELS: Record<ProjectLimit['name'] | OrganizationLimit['name'], string> = {
  endpoints: 'Endpoints',
  subscriptions: 'Subscriptions',
  sources: 'Sources',
  destinations: 'Destinations',
  tunnels: 'Tunnels',
  apiKeys: 'Active API keys',
  projects: 'Projects',
  members: 'Members and pending invitations',
};
