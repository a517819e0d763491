import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CodeLanguage, highlightCode } from './highlight-code';

const LANGUAGES: CodeLanguage[] = ['json', 'shell', 'javascript', 'python', 'text'];

it('never changes the code', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...LANGUAGES), (code, language) => {
      expect(
        highlightCode(code, language)
          .map((token) => token.text)
          .join(''),
      ).toBe(code);
    }),
  );
});

const kinds = (code: string, language: CodeLanguage) =>
  Object.fromEntries(highlightCode(code, language).map((token) => [token.text, token.kind]));

it('distinguishes keys, strings and numbers in JSON', () => {
  expect(kinds('{"a\\"b": "c", "n": -1.5, "t": true}', 'json')).toMatchObject({
    '"a\\"b"': 'key',
    '"c"': 'string',
    '-1.5': 'number',
    true: 'key',
  });
});

it('does not highlight ports as numbers or dashes in values as options', () => {
  const tokens = kinds('curl http://localhost:3000/x-y -H "A: b"', 'shell');
  expect(tokens).toMatchObject({ curl: 'key', '-H': 'key', '"A: b"': 'string' });
  expect(Object.values(tokens)).not.toContain('number');
});
