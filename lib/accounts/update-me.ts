import type { PersonCaller } from '@/lib/audit/caller';
import { database } from '@/lib/platform/db';
import { changeProfile } from './accounts-sql';
import type { UpdateMeBody } from './schema';

/** Changes the fields of the caller's own account that the body names. */
export async function updateMe(caller: PersonCaller, { name, timeZone }: UpdateMeBody): Promise<void> {
  if (name === undefined && timeZone === undefined) return;
  const timesInUtc = timeZone === undefined ? null : timeZone === 'UTC';
  await changeProfile.run(database(), caller.userId, name !== undefined, name ?? null, timesInUtc);
}
