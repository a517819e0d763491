import { expect, it } from 'vitest';
import type { KeyCaller } from '@/lib/audit/caller';
import type { ApiRequest } from '@/lib/http/request';
import { AppError } from '@/lib/platform/errors';
import { downloadList, isFile } from './list-download';

const callerOf = (keyId: string) => ({ type: 'key', keyId }) as KeyCaller;
const requestOf = (query = '', method = 'GET') => ({ method, query: new URLSearchParams(query) }) as ApiRequest;

function start(keyId: string, request = requestOf(), read = async () => [{ id: '1' }]) {
  const columns = { id: (row: { id: string }) => row.id };
  return downloadList({ caller: callerOf(keyId), request, format: 'csv', name: 'events', columns, read });
}

/** Returns the content of a download as a stream, as the server opens it. */
function open(response: ReturnType<typeof start>): ReadableStream<Uint8Array> {
  const content = response.raw?.content;
  if (typeof content !== 'function') throw new Error('expected a stream');
  return content('identity');
}

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return undefined;
}

it('streams a file with a name, its type and the most rows that it can hold', async () => {
  const response = start('named');
  expect(response.raw?.contentType).toMatch(/^text\/csv/);
  expect(response.headers).toMatchObject({
    'Content-Disposition': 'attachment; filename="events.csv"',
    'X-Download-Max-Rows': '100000',
  });
  expect(await new Response(open(response)).text()).toBe('"id"\r\n"1"\r\n');
});

it('allows a caller one download at a time, and the next once it has ended or is canceled', async () => {
  const running = start('busy');
  expect(codeOf(() => start('busy'))).toBe('rate_limited');
  await new Response(open(running)).text();
  const canceled = start('busy');
  await open(canceled).cancel();
  await open(start('busy')).cancel();
});

it('refuses a download while four others run, whoever asks, and allows it once one has ended', async () => {
  const running = ['a', 'b', 'c', 'd'].map((keyId) => start(keyId));
  expect(codeOf(() => start('e'))).toBe('overloaded');
  for (const response of running) await open(response).cancel();
  await open(start('e')).cancel();
});

it('is ready for the next download after reading fails', async () => {
  const failing = start('failing', requestOf(), () => Promise.reject(new Error('the database is away')));
  await expect(new Response(open(failing)).text()).rejects.toThrow();
  await open(start('failing')).cancel();
});

it.each(['limit=10', 'cursor=x'])('refuses %s, since a file has no pages, and takes no slot', async (query) => {
  expect(codeOf(() => start('paged', requestOf(query)))).toBe('validation_failed');
  await open(start('paged', requestOf('type=a'))).cancel();
});

it('takes no slot and reads nothing for HEAD', () => {
  const read = () => Promise.reject(new Error('must not be read'));
  for (let n = 0; n < 5; n++) expect(start('head', requestOf('', 'HEAD'), read).status).toBe(200);
});

it.each([
  ['csv', true],
  ['ndjson', true],
  ['json', false],
  [undefined, false],
] as const)('the format %s asks for a file: %s', (format, expected) => {
  expect(isFile(format)).toBe(expected);
});
