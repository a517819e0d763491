import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Terminal } from '@/lib/cli/terminal';
import { readLines } from './read-lines';

const terminalOf = (stdin: Readable, isTTY = false) =>
  ({ stdin: Object.assign(stdin, { isTTY }) }) as unknown as Terminal;
const never = new AbortController().signal;

async function linesOf(chunks: (Buffer | string)[]): Promise<[number, string][]> {
  const stdin = Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));
  const lines: [number, string][] = [];
  for await (const { number, text } of readLines(terminalOf(stdin), 'events', never)) lines.push([number, text]);
  return lines;
}

it('numbers lines as an editor does, and skips blank ones', async () => {
  expect(await linesOf(['a\n\n  \r\nb\nc'])).toEqual([
    [1, 'a'],
    [4, 'b'],
    [5, 'c'],
  ]);
  expect(await linesOf([])).toEqual([]);
});

it('joins lines and characters that arrive in pieces', async () => {
  const bytes = Buffer.from('{"a":"ü"}\n{"b":"😀"}\n');
  expect(await linesOf([...bytes].map((byte) => Buffer.from([byte])))).toEqual([
    [1, '{"a":"ü"}'],
    [2, '{"b":"😀"}'],
  ]);
});

it('refuses a line that is not UTF-8, and names it', async () => {
  const latin1 = Buffer.from('{"a":"ü"}\n{"b":"ü"}\n', 'latin1');
  await expect(linesOf(['{"a":"ü"}\n', latin1])).rejects.toThrow('Line 2 is not UTF-8.');
});

it('refuses a line that does not fit into memory, and a terminal', async () => {
  await expect(linesOf(Array(20).fill('x'.repeat(100_000)))).rejects.toThrow('Line 1 is longer than 1 MiB.');
  await expect(readLines(terminalOf(Readable.from([]), true), 'events', never).next()).rejects.toThrow(
    'Pipe events to standard input',
  );
});

it('yields no line after the signal has aborted, also of those that were read before', async () => {
  const controller = new AbortController();
  const stdin = Readable.from([Buffer.from('a\nb\nc\n')]);
  const seen: string[] = [];
  for await (const { text } of readLines(terminalOf(stdin), 'events', controller.signal)) {
    seen.push(text);
    controller.abort();
  }
  expect(seen).toEqual(['a']);
});

it('ends when the signal aborts, also while nobody writes', async () => {
  const controller = new AbortController();
  const stdin = new Readable({ read: () => undefined });
  const lines = readLines(terminalOf(stdin), 'events', controller.signal);
  const next = lines.next();
  controller.abort();
  expect((await next).done).toBe(true);
  expect(stdin.destroyed).toBe(true);
});
