import { describe, expect, it } from 'vitest';
import { suggestTypes, typeFault } from './suggest-types';

const SEEN = ['invoice.sent', 'order.item.added', 'order.paid', 'ping'];
const valuesOf = (typed: string) => suggestTypes(SEEN, typed).map(({ value }) => value);

describe('suggestions of event types', () => {
  it('are prefixes before types, and those that start with the text', () => {
    expect(valuesOf('')).toEqual(['order.*', 'invoice.*', 'order.item.*', ...SEEN]);
    expect(valuesOf('ord')).toEqual(['order.*', 'order.item.*', 'order.item.added', 'order.paid']);
    expect(valuesOf('ORDER.P')).toEqual(['order.paid']);
    expect(valuesOf('nothing')).toEqual([]);
  });

  it('narrow down below a prefix that is typed, without the prefix itself', () => {
    expect(valuesOf('order.*')).toEqual(['order.item.*', 'order.item.added', 'order.paid']);
  });

  it('count the types of a prefix', () => {
    expect(suggestTypes(SEEN, 'order.')[0]).toEqual({ value: 'order.*', hint: '2 types' });
    expect(suggestTypes(SEEN, 'invoice')[0]).toEqual({ value: 'invoice.*', hint: '1 type' });
  });

  it('are few enough to see at once', () => {
    expect(
      suggestTypes(
        Array.from({ length: 200 }, (_, n) => `a.b${n}`),
        'a',
      ),
    ).toHaveLength(8);
  });
});

it.each(['order.paid', 'order.*', '*', 'a-b_c.1'])('accepts the type %s', (typed) => {
  expect(typeFault(typed)).toBeUndefined();
});

it.each([
  ['order*', 'Put a dot before the star'],
  ['order paid', 'Use letters'],
  ['*.paid', 'Use letters'],
  ['ä', 'Use letters'],
])('explains what is wrong with %j', (typed, text) => {
  expect(typeFault(typed)).toContain(text);
});
