import { describe, expect, it } from 'vitest';
import { compileFilter, toFilteredEvent } from '@/lib/delivery/filters/filter';
import { type ConvoyRule, matchingOf } from './convoy-filters';
import { Notes } from './plan';

function match(rules: ConvoyRule[]) {
  const notes = new Notes();
  const { eventTypes, filter } = matchingOf(rules, notes) ?? { eventTypes: null, filter: null };
  const compiled = filter === null ? null : compileFilter(JSON.stringify(filter));
  const gets = (type: string, data: object) =>
    (eventTypes?.includes('*') || eventTypes?.includes(type)) === true &&
    (compiled?.matches(toFilteredEvent(type, JSON.stringify(data))) ?? true);
  return { eventTypes, filter, gets, losses: notes.all.filter(({ isLoss }) => isLoss).map(({ text }) => text) };
}

const rule = (eventType: string, body?: unknown): ConvoyRule => ({
  eventType,
  filter: body === undefined ? null : { body },
});

describe('the filter of a subscription', () => {
  it.each([
    [{ kind: 'a' }, { kind: 'a' }, { kind: 'b' }],
    [{ kind: { $eq: 'a' } }, { kind: 'a' }, {}],
    [{ kind: { $neq: 'a' } }, { kind: 'b' }, { kind: 'a' }],
    [{ n: { $gt: 1, $lte: 3 } }, { n: 3 }, { n: 1 }],
    [{ n: { $gte: 2 } }, { n: 2 }, { n: '2' }],
    [{ n: { $lt: 2 } }, { n: 1 }, { n: 2 }],
    [{ op: { $in: ['x', 'y'] } }, { op: 'y' }, { op: 'z' }],
    [{ op: { $nin: ['x'] } }, { op: 'y' }, { op: 'x' }],
    [{ op: { $exist: true } }, { op: null }, {}],
    [{ a: { b: { c: 1 } } }, { a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }],
    [{ 'a.b': 1, c: 2 }, { a: { b: 1 }, c: 2 }, { a: { b: 1 } }],
    [{ $or: [{ city: 'lagos' }, { n: { $gte: 10 } }] }, { n: 11 }, { n: 9 }],
    [{ $and: [{ n: { $gte: 10 } }, { $or: [{ k: 'w' }, { city: 'lagos' }] }] }, { n: 10, k: 'w' }, { n: 10, k: 'd' }],
    [{ items: { $or: [{ size: 1 }, { size: 2 }] } }, { items: { size: 2 } }, { items: { size: 3 } }],
  ])('lets %j get what it matches, and nothing else', (body, inside, outside) => {
    const { gets, losses } = match([rule('t', body)]);
    expect([gets('t', inside), gets('t', outside), gets('other', inside), losses]).toEqual([true, false, false, []]);
  });

  it.each([
    [{ name: { $regex: '^a' } }],
    [{ 'lines.$.sku': 'a' }],
    [{ $or: [] }],
    [{ $or: 'x' }],
    [{ a: {} }],
    [{ n: 2 ** 60 }],
    [{ $gt: 1 }],
    [{ a: [[1]] }],
    [{ a: { $in: 'x' } }],
    [{ a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } }],
    ['text'],
    [[1]],
  ])('that is %j is named, and its type is not subscribed to', (body) => {
    const { eventTypes, filter, losses } = match([rule('t', body)]);
    expect([eventTypes, filter, losses.length]).toEqual([[], null, 1]);
  });

  it('of headers, the query or the path is named', () => {
    for (const scope of ['headers', 'query', 'path']) {
      expect(match([{ eventType: 't', filter: { [scope]: { a: 'b' } } }]).losses).toEqual([
        expect.stringContaining(scope),
      ]);
      expect(match([{ eventType: 't', filter: { [scope]: 'a' } }]).eventTypes).toEqual([]);
      expect(match([{ eventType: 't', filter: { [scope]: {}, body: null } }]).losses).toEqual([]);
    }
  });

  it('is translated once for all of its types', () => {
    let translations = 0;
    const body = {
      get n() {
        translations += 1;
        return 1;
      },
    };
    const filter = { body };
    const types = Array.from({ length: 60 }, (_, i) => `type_${i}`);
    expect(match(types.map((eventType) => ({ eventType, filter }))).eventTypes).toEqual(types);
    expect(translations).toBe(1);
  });

  it('that has more conditions than one here can have is named, and one with as many as possible is not', () => {
    const withConditions = (count: number) =>
      match([rule('t', Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i])))]);
    expect(withConditions(51)).toMatchObject({
      eventTypes: [],
      losses: ['events of type “t” are left out: its filter has more than 50 conditions'],
    });
    // They are in a group, which counts too.
    expect(withConditions(49)).toMatchObject({ eventTypes: ['t'], losses: [] });
  });

  it('that is nested without end is named', () => {
    let body: object = { n: 1 };
    for (let depth = 0; depth < 5_000; depth += 1) body = { $and: [body] };
    expect(() => match([rule('t', body)])).not.toThrow();
    expect(match([rule('t', body)]).losses).toHaveLength(1);
  });
});

describe('several subscriptions of an endpoint', () => {
  it('keep to their own types', () => {
    const { gets } = match([rule('paid', { n: { $gt: 1 } }), rule('sent'), rule('made')]);
    expect([gets('paid', { n: 2 }), gets('paid', { n: 1 }), gets('sent', {}), gets('made', {})]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('let everything in when one of them has all types and no filter', () => {
    expect(match([rule('paid', { n: 1 }), rule('*')])).toMatchObject({ eventTypes: ['*'], filter: null });
  });

  it('of all types with a filter let in what another one names', () => {
    const { gets } = match([rule('*', { n: 1 }), rule('sent')]);
    expect([gets('sent', {}), gets('paid', { n: 1 }), gets('paid', {})]).toEqual([true, true, false]);
  });

  it('with more event types than a new endpoint can have are named, and the endpoint is left out', () => {
    const withTypes = (count: number) => match(Array.from({ length: count }, (_, i) => rule(`type_${i}`)));
    expect(withTypes(1_001)).toMatchObject({ eventTypes: null, losses: ['it has more than 1,000 event types'] });
    expect(withTypes(1_000)).toMatchObject({ losses: [] });
    expect(withTypes(1_000).eventTypes).toHaveLength(1_000);
  });

  it('with more filters than one here can have conditions are named, and the endpoint is left out', () => {
    const withFilters = (count: number) => match(Array.from({ length: count }, (_, n) => rule(`type_${n}`, { n })));
    expect(withFilters(51)).toMatchObject({
      eventTypes: null,
      losses: ['its subscriptions have more than 50 different filters'],
    });
    expect(withFilters(16).losses).toEqual([]);
  });

  it('with equal filters take one condition', () => {
    const types = Array.from({ length: 60 }, (_, i) => `type_${i}`);
    const { eventTypes, filter } = match(types.map((type) => rule(type, { n: { $gt: 1 } })));
    expect([eventTypes, filter]).toEqual([types, { path: 'data.n', op: 'gt', value: 1 }]);
  });
});
