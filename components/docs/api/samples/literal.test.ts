import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JAVASCRIPT_STYLE, JSON_STYLE, PYTHON_STYLE, writeLiteral } from './literal';

it('writes JavaScript that has the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const evaluate = new Function(`return (${writeLiteral(value, JAVASCRIPT_STYLE)})`);
      expect(JSON.stringify(evaluate())).toBe(JSON.stringify(value));
    }),
  );
});

it('writes JSON that has the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(JSON.parse(writeLiteral(value, JSON_STYLE)))).toBe(JSON.stringify(value));
    }),
  );
});

it('quotes any text, also one with quotes, backslashes and line breaks', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", '"', '\\', '\n', '$', '`', '\u2028', 'a') }), (text) => {
      expect(new Function(`return ${JAVASCRIPT_STYLE.quote(text)}`)()).toBe(text);
    }),
  );
});

it('writes short values on one line, and longer ones on several', () => {
  expect(writeLiteral({ a: [1, true], 'b-c': null }, JAVASCRIPT_STYLE)).toBe("{ a: [1, true], ['b-c']: null }");
  expect(writeLiteral({ a: [1, true], b: null }, PYTHON_STYLE)).toBe("{'a': [1, True], 'b': None}");
  expect(writeLiteral({ a: [1, true], b: null }, JSON_STYLE)).toBe('{"a": [1, true], "b": null}');
  const long = { first: 'a text of many characters', second: 'another text of many characters' };
  expect(writeLiteral(long, PYTHON_STYLE, '    ')).toBe(
    "{\n        'first': 'a text of many characters',\n        'second': 'another text of many characters',\n    }",
  );
  expect(writeLiteral([], JSON_STYLE) + writeLiteral({}, JSON_STYLE)).toBe('[]{}');
});
