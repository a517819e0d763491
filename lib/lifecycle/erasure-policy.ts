import { isLastOwner, type Standing } from '@/lib/orgs/last-owner';
import type { ErasurePreview } from './schema';

/** Sorts a person's organizations by what the erasure of the person does to them (spec 8.4, account erasure 3 and 4). */
export function judgeErasure(standings: readonly Standing[]): ErasurePreview {
  const isAlone = ({ memberCount }: Standing) => memberCount === 1;
  const isBlocking = (standing: Standing) => !isAlone(standing) && isLastOwner(standing);
  const goesOn = (standing: Standing) => !isAlone(standing) && !isBlocking(standing);
  const named = ({ id, name }: Standing) => ({ id, name });
  return {
    deletes: standings.filter(isAlone).map(named),
    blocks: standings.filter(isBlocking).map(({ id, name, memberCount }) => ({ id, name, memberCount })),
    leaves: standings.filter(goesOn).map(named),
  };
}
