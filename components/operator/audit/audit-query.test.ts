import { describe, expect, it } from 'vitest';
import { isIdOrEmpty, NO_FILTERS, toQuery } from './audit-query';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('the filters of the audit log', () => {
  it('ask for everything while none is set', () => {
    expect(Object.values(toQuery(NO_FILTERS))).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it('take an id once it is typed to its end', () => {
    expect(toQuery({ ...NO_FILTERS, actorId: ID.slice(0, -1) }).actorId).toBeUndefined();
    expect(toQuery({ ...NO_FILTERS, actorId: ` ${ID} `, organizationId: ID })).toMatchObject({
      actorId: ID,
      organizationId: ID,
    });
    expect([isIdOrEmpty(''), isIdOrEmpty(ID), isIdOrEmpty('x')]).toEqual([true, true, false]);
  });

  it('take local times, to the end of the minute that is named', () => {
    const { from, to } = toQuery({ ...NO_FILTERS, from: '2026-11-21T03:00', to: '2026-11-21T04:00' });
    expect(from).toBe(new Date('2026-11-21T03:00').toISOString());
    expect(to).toBe(new Date('2026-11-21T04:00:59.999').toISOString());
  });

  it('leave out what is no time of the API', () => {
    expect(toQuery({ ...NO_FILTERS, from: '0001-01-01T00:00', to: '275760-01-01T00:00' })).toMatchObject({
      from: undefined,
      to: undefined,
    });
  });
});
