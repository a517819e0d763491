import type { GroupSpec } from '@/lib/cli/spec';
import { closeSessions } from './close-sessions';
import { listSessions } from './list-sessions';

export const sessions: GroupSpec = {
  name: 'sessions',
  summary: 'See where you are signed in, and sign out elsewhere.',
  commands: [listSessions, closeSessions],
};
