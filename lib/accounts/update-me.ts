import type { PersonCaller } from '@/lib/audit/caller';
import { database } from '@/lib/platform/db';
import type { UpdateMeBody } from './schema';

/** Changes the fields of the caller's own account that the body names. */
export async function updateMe(caller: PersonCaller, body: UpdateMeBody): Promise<void> {
  if (body.name === undefined) return;
  await database().query('UPDATE users SET name = $2, updated_at = now() WHERE id = $1 AND erased_at IS NULL', [
    caller.userId,
    body.name,
  ]);
}
