import fc from 'fast-check';
import { expect, it } from 'vitest';
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
