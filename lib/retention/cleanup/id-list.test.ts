import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdList } from './id-list';

const ids = fc.uniqueArray(fc.uuid(), { maxLength: 6 });
const places = fc.integer({ min: 0, max: 7 });
const listOf = (members: readonly string[]) => new IdList(`{${members}}`);

describe('a list of ids in one string', () => {
  it('has the members, at the places, that an array of them has', () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: -8, max: 8 }), (members, place) => {
        expect(listOf(members).length).toBe(members.length);
        expect(listOf(members).at(place)).toBe(members.at(place));
      }),
    );
  });

  it('is cut as an array is, beyond its end too, and is then an array that PostgreSQL can read', () => {
    fc.assert(
      fc.property(ids, places, places, (members, from, to) => {
        expect(listOf(members).slice(from, to).text).toBe(`{${members.slice(from, to)}}`);
        expect(listOf(members).slice(from).text).toBe(`{${members.slice(from)}}`);
      }),
    );
  });

  it('tells where a member is, and that a stranger is not there', () => {
    fc.assert(
      fc.property(ids, fc.uuid(), (members, stranger) => {
        for (const id of [...members, stranger]) expect(listOf(members).indexOf(id)).toBe(members.indexOf(id));
      }),
    );
  });

  it('of no rows is empty', () => {
    expect(new IdList(null)).toEqual(new IdList('{}'));
    expect(new IdList(null).length).toBe(0);
  });
});
