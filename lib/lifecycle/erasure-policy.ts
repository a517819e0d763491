import { isLastOwner, type MembershipCounts } from '@/lib/orgs/locks';
import type { ErasurePreview } from './schema';

/** Sorts a person's organizations by what erasing the account does to them: deleted, blocking, or left. */
export function planErasure(standings: readonly MembershipCounts[]): ErasurePreview {
  const isAlone = ({ memberCount }: MembershipCounts) => memberCount === 1;
  const isBlocking = (standing: MembershipCounts) => !isAlone(standing) && isLastOwner(standing);
  const isLeft = (standing: MembershipCounts) => !isAlone(standing) && !isBlocking(standing);
  const named = ({ id, name }: MembershipCounts) => ({ id, name });
  return {
    deletes: standings.filter(isAlone).map(named),
    blocks: standings.filter(isBlocking).map(({ id, name, memberCount }) => ({ id, name, memberCount })),
    leaves: standings.filter(isLeft).map(named),
  };
}
