import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findMatch, patternOf, searchTermsOf } from './content-search';

const tokensOf = (text: string) => searchTermsOf(text).map(({ tokens }) => tokens);

it('splits words at space, and keeps strings and JSON together', () => {
  expect(tokensOf('order 42')).toEqual([['order'], ['42']]);
  expect(tokensOf('"orderId": "42"')).toEqual([['"orderId"', ':', '"42"']]);
  expect(tokensOf('"orderId" :"42"')).toEqual(tokensOf('"orderId":"42"'));
  expect(tokensOf('"a b": {"c": 1} x')).toEqual([['"a b"', ':', '{', '"c"', ':', '1', '}', 'x']]);
  expect(tokensOf('total": 1')).toEqual([['total"', ':', '1']]);
  expect(tokensOf('50 % \\"off')).toEqual([['50'], ['%'], ['\\"off']]);
  expect(tokensOf('{ }')).toEqual([['{}']]);
  expect(tokensOf('a b c d e f g')).toEqual([['a b c d e f g']]);
});

it('finds every JSON with a value that it was given in other white space, and always the same text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
      const [compact, spaced] = [JSON.stringify(value), JSON.stringify(value, null, indent)];
      // Punctuation alone is looked for as it stands.
      fc.pre(/[^[\]{},]/.test(compact));
      for (const [q, content] of [
        [compact, spaced],
        [spaced, compact],
        [spaced, spaced],
      ] as const) {
        for (const term of searchTermsOf(q)) expect(content).toMatch(new RegExp(patternOf(term)));
      }
    }),
  );
});

it('shows what was found with a little around it, in one line', () => {
  const content = `{"note":"${'x'.repeat(100)}",\n "orderId":\n\t"42", "amount": ${'1'.repeat(100)}}`;
  const match = findMatch(content, searchTermsOf('"orderId":"42"'));
  expect(match?.found).toBe('"orderId": "42"');
  expect(match?.before).toMatch(/^…x+", $/);
  expect(match?.after).toMatch(/^, "amount": 1+…$/);
  expect(findMatch('{"a":1}', searchTermsOf('"a": 1'))).toEqual({ before: '{', found: '"a":1', after: '}' });
  expect(findMatch('{"a":1}', searchTermsOf('b'))).toBeNull();
});
