import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROLES } from '@/lib/audit/types';
import type { MembershipCounts } from '@/lib/orgs/locks';
import { planErasure } from './erasure-policy';

const standing = (fields: Partial<MembershipCounts>): MembershipCounts => ({
  id: 'o',
  name: 'Acme',
  role: 'OWNER',
  memberCount: 2,
  otherOwnerCount: 0,
  ...fields,
});

const anyStanding = fc
  .record({ id: fc.uuid(), role: fc.constantFrom(...ROLES), memberCount: fc.integer({ min: 1, max: 50 }) })
  .chain((fields) =>
    fc
      .integer({ min: 0, max: fields.memberCount - 1 })
      .map((otherOwnerCount) => standing({ ...fields, otherOwnerCount })),
  );

describe('the effect of an account erasure on an organization', () => {
  it.each([
    ['the only member, an owner: deleted', { memberCount: 1 }, 'deletes'],
    ['the only member, with any other role: deleted', { memberCount: 1, role: 'VIEWER' }, 'deletes'],
    ['the last owner, with other members: blocks', { memberCount: 2 }, 'blocks'],
    ['one of two owners: left', { otherOwnerCount: 1 }, 'leaves'],
    ['an admin, with an owner: left', { role: 'ADMIN', otherOwnerCount: 1 }, 'leaves'],
    ['an admin, without any owner: left', { role: 'ADMIN' }, 'leaves'],
  ] as const)('%s', (_case, fields, outcome) => {
    const preview = planErasure([standing(fields)]);
    expect(Object.entries(preview).flatMap(([name, list]) => list.map(() => name))).toEqual([outcome]);
  });

  it('counts all members of a blocking organization, including the person', () => {
    expect(planErasure([standing({ memberCount: 4 })]).blocks).toEqual([{ id: 'o', name: 'Acme', memberCount: 4 }]);
  });

  it('puts each organization into exactly one of the three lists', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyStanding, { selector: ({ id }) => id }), (standings) => {
        const { deletes, blocks, leaves } = planErasure(standings);
        const ids = [...deletes, ...blocks, ...leaves].map(({ id }) => id);
        expect(ids.toSorted()).toEqual(standings.map(({ id }) => id).toSorted());
      }),
    );
  });
});
