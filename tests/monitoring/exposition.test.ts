import { describe, expect, it } from 'vitest';
import { parseExposition } from './exposition';

const HEAD = '# HELP a_total All\n# TYPE a_total counter\n';

describe('the reader of metrics', () => {
  it('reads names, types, labels and values', () => {
    const text = `${HEAD}a_total{x="1",y="\\"\\\\\\n"} 2\na_total 1e+3\n\n# HELP b B\n# TYPE b gauge\nb -0.5\n`;
    expect(Object.fromEntries(parseExposition(text))).toEqual({
      a_total: { type: 'counter', help: 'All', samples: { 'a_total{x="1",y="\\"\\\\\\n"}': 2, a_total: 1000 } },
      b: { type: 'gauge', help: 'B', samples: { b: -0.5 } },
    });
  });

  it.each([
    ['a last line without a newline', `${HEAD}a_total 1`],
    ['a metric twice', `${HEAD}a_total 1\n${HEAD}a_total{x="1"} 1\n`],
    ['a series twice', `${HEAD}a_total 1\na_total 2\n`],
    ['a sample of another metric', `${HEAD}b_total 1\n`],
    ['a sample without TYPE', '# HELP a_total All\na_total 1\n'],
    ['a TYPE without HELP', '# TYPE a_total counter\na_total 1\n'],
    ['a metric with an empty HELP', '# HELP a_total \n# TYPE a_total counter\n'],
    ['an unknown type', '# HELP a A\n# TYPE a number\n'],
    ['a quote in a label', `${HEAD}a_total{x="a"b"} 1\n`],
    ['a name with a dash', '# HELP a-b A\n# TYPE a-b gauge\na-b 1\n'],
    ['a sample without a value', `${HEAD}a_total\n`],
    ['a value that is not a number', `${HEAD}a_total one\n`],
    ['a counter below 0', `${HEAD}a_total -1\n`],
    ['a counter without _total', '# HELP a A\n# TYPE a counter\na 1\n'],
  ])('refuses %s', (_what, text) => {
    expect(() => parseExposition(text)).toThrow();
  });
});
