import { describe, expect, it } from 'vitest';
import { parsePlainYaml } from './plain-yaml';

describe('the reader of plain YAML', () => {
  it('reads maps, lists, literals and comments', () => {
    const text = '# c\na:\n  - x: 1\n    y: |\n      one\n      two\n  - "{{ z }}"\nb: []\nc: plain "words"\n';
    expect(parsePlainYaml(text)).toEqual({ a: [{ x: '1', y: 'one\ntwo' }, '{{ z }}'], b: [], c: 'plain "words"' });
  });

  it.each([
    ['a key twice', 'a: 1\na: 2\n'],
    ['a wrong indent', 'a:\n  b: 1\n   c: 2\n'],
    ['an indent to nowhere', 'a: 1\n  b: 2\n'],
    ['a template that is not quoted', 'a: {{ b }}\n'],
    ['a colon that YAML would take for a map', 'a: b: c\n'],
    ['a key without value', 'a:\n'],
    ['an item in a map', 'a: 1\n- b\n'],
  ])('refuses %s', (_what, text) => {
    expect(() => parsePlainYaml(text)).toThrow();
  });
});
