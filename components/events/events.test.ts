import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { eventCurl } from './event-page';
import { suggestTypes, typeFault } from './type-filter';

describe('the suggested types', () => {
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
});

describe('the command of an event', () => {
  const EVENT = {
    id: '019a',
    type: 'order.paid',
    createdAt: '2026-01-31T09:30:00.000Z',
    data: { note: 'it\'s $HOME `id`; "quoted" \\ \n' },
    customerUid: null,
  };

  /** Returns the arguments that a shell passes to curl. */
  function argumentsOf(command: string): string[] {
    const script = `curl() { for a in "$@"; do printf '%s\\001' "$a"; done; }\n${command}`;
    return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, EDS_API_KEY: 'eds_x' } })
      .split('\u0001')
      .slice(0, -1);
  }

  it('sends the same event with any data', () => {
    const given = argumentsOf(eventCurl('http://localhost:3000', '$EDS_API_KEY', EVENT));
    expect(given[0]).toBe('http://localhost:3000/api/v1/events');
    expect(given).toContain('X-API-Key: eds_x');
    expect(JSON.parse(given.at(-1) ?? '')).toEqual({ type: EVENT.type, data: EVENT.data });
  });

  it('sends it for the same customer', () => {
    const given = argumentsOf(eventCurl('http://localhost:3000', '$EDS_API_KEY', { ...EVENT, customerUid: 'acme' }));
    expect(JSON.parse(given.at(-1) ?? '')).toEqual({ type: EVENT.type, customer: 'acme', data: EVENT.data });
  });
});
