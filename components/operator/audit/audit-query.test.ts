import { describe, expect, it } from 'vitest';
import { isIdOrEmpty, NO_FILTERS, toQuery } from './audit-query';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('toQuery', () => {
  it('filters nothing while no filter is set', () => {
    expect(Object.values(toQuery(NO_FILTERS))).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it('filters by an id only when it is complete', () => {
    expect(toQuery({ ...NO_FILTERS, actorId: ID.slice(0, -1) }).actorId).toBeUndefined();
    expect(toQuery({ ...NO_FILTERS, actorId: ` ${ID} `, organizationId: ID })).toMatchObject({
      actorId: ID,
      organizationId: ID,
    });
    expect([isIdOrEmpty(''), isIdOrEmpty(ID), isIdOrEmpty('x')]).toEqual([true, true, false]);
  });

  it('reads local times, to the end of the named minute', () => {
    const { from, to } = toQuery({ ...NO_FILTERS, from: '2026-11-21T03:00', to: '2026-11-21T04:00' });
    expect(from).toBe(new Date('2026-11-21T03:00').toISOString());
    expect(to).toBe(new Date('2026-11-21T04:00:59.999').toISOString());
  });

  it('ignores a time that the API does not accept', () => {
    expect(toQuery({ ...NO_FILTERS, from: '0001-01-01T00:00', to: '275760-01-01T00:00' })).toMatchObject({
      from: undefined,
      to: undefined,
    });
  });
});
