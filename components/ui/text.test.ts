import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameName } from './confirm-dialog';
import { compactJson, prettyJson } from './format-json';
import { type CodeLanguage, highlightCode } from './highlight-code';

const LANGUAGES: CodeLanguage[] = [
  'json',
  'shell',
  'yaml',
  'sql',
  'javascript',
  'python',
  'go',
  'php',
  'ruby',
  'java',
  'text',
];

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

it.each<[CodeLanguage, string, string[], string[]]>([
  [
    'javascript',
    'try { for (const a of f({ from: 1 })) log(`$a: "b"`); } catch (e) { if (e instanceof E) throw e; else c.new(); }',
    ['try', 'for', 'const', 'of', 'catch', 'if', 'instanceof', 'throw', 'else'],
    ['`$a: "b"`'],
  ],
  [
    'python',
    'for a in b:\n  if not a or a.isdigit():\n    return "x"  # no',
    ['for', 'in', 'if', 'not', 'or', 'return'],
    ['"x"'],
  ],
  ['python', 'try:\n  pass\nelse:\n  f()', ['try', 'else'], []],
  ['go', 'for _, e := range s("a") {\n return nil // if\n}', ['for', 'range', 'return', 'nil'], ['"a"']],
  ['php', "<?php\nforeach ($use as $k) $a->new('b');", ['<?php', 'foreach', 'as'], ["'b'"]],
  ['ruby', 'return false if "#{x}".nil?\nend # new', ['return', 'false', 'if', 'end'], ['"#{x}"']],
  [
    'java',
    'public void f() throws E { return new A("\\\\d"); }',
    ['public', 'void', 'throws', 'return', 'new'],
    ['"\\\\d"'],
  ],
  ['yaml', '# a: b\nspec:\n  - name: "x:y" # z', ['spec', 'name'], ['"x:y"']],
  ['sql', "SELECT id FROM t WHERE a = 'IN'", ['SELECT', 'FROM', 'WHERE'], ["'IN'"]],
])('distinguishes keywords and strings in %s: %s', (language, code, keys, strings) => {
  const tokens = highlightCode(code, language);
  const ofKind = (kind: string) => tokens.filter((token) => token.kind === kind).map(({ text }) => text);
  expect([ofKind('key'), ofKind('string')]).toEqual([keys, strings]);
});

const nested = (depth: number, inner = '') => JSON.parse(`${'['.repeat(depth)}${inner}${']'.repeat(depth)}`) as unknown;

describe('formatting JSON', () => {
  it('indents a small value', () => {
    expect(prettyJson({ a: [1, { b: null }] })).toBe(JSON.stringify({ a: [1, { b: null }] }, null, 2));
  });

  it('keeps on one line what indenting would enlarge too much', () => {
    const zeros = Array(60_000).fill('0').join(',');
    expect(prettyJson(nested(40, zeros)).length).toBeLessThan(130_000);
  });

  it('describes nesting that would overflow the stack', () => {
    for (const show of [prettyJson, compactJson]) expect(show(nested(50_000))).toMatch(/nested 49999 levels/);
    expect(compactJson(nested(900))).toHaveLength(1_800);
  });
});

it.each([
  ['Acme Inc', 'Acme Inc', true],
  ['Acme Inc', 'Acme  Inc', true],
  ['Acme Inc', 'Acme\u00a0Inc', true],
  ['Caf\u00e9', 'Cafe\u0301', true],
  ['Acme', 'Ac\u200bme', true],
  ['Acme', 'Acme\ufe0f', true],
  ['\u3164', '\u3164', true],
  ['acme', 'Acme', false],
  ['Acme', 'Acme Inc', false],
  ['Acme', '\u0410cme', false],
  ['AcmeInc', 'Acme Inc', false],
  ['', 'Acme', false],
  ['', '\u3164', false],
])('says that %j looks like the name %j: %s', (typed, name, isSame) => {
  expect(isSameName(typed, name)).toBe(isSame);
});
