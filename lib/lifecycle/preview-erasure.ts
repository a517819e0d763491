import type { PersonCaller } from '@/lib/audit/caller';
import { listStandings } from '@/lib/orgs/last-owner';
import { database } from '@/lib/platform/db';
import { judgeErasure } from './erasure-policy';
import type { ErasurePreview } from './schema';

/** What erasing the caller's account would do just now. The erasure judges again: this may be out of date by then. */
export async function previewErasure(caller: PersonCaller): Promise<ErasurePreview> {
  return judgeErasure(await listStandings(database(), caller.userId));
}
