import type { PersonCaller } from '@/lib/audit/caller';
import { listMembershipCounts } from '@/lib/orgs/locks';
import { database } from '@/lib/platform/db';
import { planErasure } from './erasure-policy';
import type { ErasurePreview } from './schema';

/** Returns what erasing the caller's account would do at this moment. The erasure itself decides again. */
export async function previewErasure(caller: PersonCaller): Promise<ErasurePreview> {
  return planErasure(await listMembershipCounts(database(), caller.userId));
}
