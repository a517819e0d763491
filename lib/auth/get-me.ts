import { getUser } from '@/lib/accounts/queries';
import type { PersonCaller } from '@/lib/audit/caller';
import { listOwnMemberships } from '@/lib/orgs/queries';
import { database } from '@/lib/platform/db';
import type { Me } from './schema';

/** Returns the caller's account and their organizations. */
export async function getMe(caller: PersonCaller): Promise<Me> {
  const [user, organizations] = await Promise.all([
    getUser(database(), caller.userId),
    listOwnMemberships(caller.userId),
  ]);
  return { user, organizations };
}
