import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROLES } from '@/lib/audit/types';
import type { Standing } from '@/lib/orgs/last-owner';
import { judgeErasure } from './erasure-policy';

const standing = (fields: Partial<Standing>): Standing => ({
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

describe('what the erasure of a person does to an organization', () => {
  it.each([
    ['alone in it as its owner', { memberCount: 1 }, 'deletes'],
    ['alone in it with any role', { memberCount: 1, role: 'VIEWER' }, 'deletes'],
    ['last owner, with others', { memberCount: 2 }, 'blocks'],
    ['one of two owners', { otherOwnerCount: 1 }, 'leaves'],
    ['an admin beside an owner', { role: 'ADMIN', otherOwnerCount: 1 }, 'leaves'],
    ['an admin where nobody is an owner', { role: 'ADMIN' }, 'leaves'],
  ] as const)('%s', (_case, fields, outcome) => {
    const judged = judgeErasure([standing(fields)]);
    expect(Object.entries(judged).flatMap(([name, list]) => list.map(() => name))).toEqual([outcome]);
  });

  it('names what blocks with all of its members, the person among them', () => {
    expect(judgeErasure([standing({ memberCount: 4 })]).blocks).toEqual([{ id: 'o', name: 'Acme', memberCount: 4 }]);
  });

  it('puts each organization into exactly one of the three', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyStanding, { selector: ({ id }) => id }), (standings) => {
        const { deletes, blocks, leaves } = judgeErasure(standings);
        const ids = [...deletes, ...blocks, ...leaves].map(({ id }) => id);
        expect(ids.toSorted()).toEqual(standings.map(({ id }) => id).toSorted());
      }),
    );
  });

  it('never leaves members behind without an owner that they had', () => {
    fc.assert(
      fc.property(anyStanding, (each) => {
        const goesOn = judgeErasure([each]).leaves.length === 1;
        const losesItsOwner = each.role === 'OWNER' && each.otherOwnerCount === 0;
        expect(goesOn && losesItsOwner).toBe(false);
      }),
    );
  });

  it('deletes nothing that others belong to', () => {
    fc.assert(
      fc.property(anyStanding, (each) => {
        expect(judgeErasure([each]).deletes.length === 1).toBe(each.memberCount === 1);
      }),
    );
  });
});
