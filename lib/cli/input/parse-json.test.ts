import { expect, it } from 'vitest';
import type { CliError } from '@/lib/cli/cli-error';
import { parseJson } from './parse-json';

const faultOf = (text: string) => {
  try {
    parseJson(text, '--data');
    return null;
  } catch (error) {
    return (error as CliError).fields.message;
  }
};

it.each([
  ['{"a": [1, -2.50, 1e3, 9007199254740992]}', { a: [1, -2.5, 1000, 9007199254740992] }],
  ['{"text": "12345678901234567890 and \\" 1e999"}', { text: '12345678901234567890 and " 1e999' }],
])('parses %s', (text, value) => {
  expect(parseJson(text, '--data')).toEqual(value);
});

it.each(['12345678901234567890', '9007199254740993', '-9007199254740993', '1e999'])(
  'refuses the number %s, which would be sent as another one',
  (number) => {
    expect(faultOf(`{"id": ${number}}`)).toBe(`--data has the number ${number}, which would be rounded.`);
  },
);

it('says where text is not JSON, in one line that does not repeat the text', () => {
  const fault = faultOf(`{"a": \n${'x'.repeat(5000)}}`);
  expect(fault).toMatch(/^--data is not JSON: Unexpected token .*\.$/);
  expect(fault?.length).toBeLessThan(120);
  expect(fault).not.toContain('\n');
  expect(faultOf('')).toBe('--data is not JSON: Unexpected end of JSON input.');
});
