import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import type { CliError } from '@/lib/cli/cli-error';
import type { Terminal } from '@/lib/cli/terminal';
import { parseJson, readJsonArgument } from './read-input';

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

const read = (argument: string, stdin: string | Buffer = '') =>
  readJsonArgument(
    { stdin: Object.assign(Readable.from([Buffer.from(stdin as string)]), { isTTY: false }) } as unknown as Terminal,
    argument,
    { option: '--data', what: 'the data' },
  );

it('reads an object from the argument, a file, or standard input', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'eds-input-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'data.json');
  writeFileSync(file, '{"from": "file"}\n');
  expect(await read('{"from": "text"}')).toEqual({ from: 'text' });
  expect(await read(`@${file}`)).toEqual({ from: 'file' });
  expect(await read('-', '{"from": "stdin"}')).toEqual({ from: 'stdin' });
  writeFileSync(file, '[1]');
  await expect(read(`@${file}`)).rejects.toThrow(`${file} must be a JSON object.`);
});

it('refuses what is not a JSON object, and names where it is from', async () => {
  await expect(read('[1]')).rejects.toThrow('--data must be a JSON object.');
  await expect(read('null')).rejects.toThrow('--data must be a JSON object.');
  await expect(read('{a:1}')).rejects.toThrow('--data is not JSON: ');
  await expect(read('-', 'x')).rejects.toThrow('Standard input is not JSON: ');
  await expect(read('@/no/such/file')).rejects.toThrow('We couldn’t read /no/such/file: ENOENT.');
  await expect(read('-', Buffer.from('{"a":"ü"}', 'latin1'))).rejects.toThrow('Standard input is not UTF-8.');
  await expect(read('-', ' '.repeat(1024 * 1024 + 1))).rejects.toThrow('Standard input is longer than 1 MiB.');
});
