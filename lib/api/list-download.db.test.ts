import { expect, it } from 'vitest';
import type { KeyCaller } from '@/lib/audit/caller';
import type { ApiRequest } from '@/lib/http/request';
import { AppError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { ALWAYS_ALLOWED } from '@/lib/platform/open-connections';
import type { ScannedPage } from '@/lib/platform/sql/bounded-scan';
import { useDatabase } from '@/tests/database/use-database';
import { downloadList, isFile } from './list-download';

useDatabase();

/** The ids of organizations, by the names that the tests give them. Each has an owner of its own. */
const ids = new Map<string, string>();
function callerOf(keyId: string, name = keyId): KeyCaller {
  const organizationId = ids.get(name) ?? newId();
  ids.set(name, organizationId);
  return { type: 'key', keyId, organizationId } as KeyCaller;
}
const requestOf = (query = '', method = 'GET') => ({ method, query: new URLSearchParams(query) }) as ApiRequest;

function start(
  keyId: string,
  request = requestOf(),
  read: () => Promise<ScannedPage<{ id: string }>> = async () => ({ rows: [{ id: '1' }], next: null }),
  isTruncated = async () => false,
  organizationId = keyId,
) {
  const columns = { id: (row: { id: string }) => row.id };
  return downloadList({
    caller: callerOf(keyId, organizationId),
    request,
    whileAllowed: ALWAYS_ALLOWED,
    format: 'csv',
    name: 'events',
    columns,
    read,
    isTruncated,
  });
}

/** Returns the content of a download as a stream, as the server opens it. */
function open(response: Awaited<ReturnType<typeof start>>): ReadableStream<Uint8Array> {
  const content = response.raw?.content;
  if (typeof content !== 'function') throw new Error('expected a stream');
  return content('identity');
}

async function codeOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return undefined;
}

it('streams a file with a name, its type and the most rows that it can hold', async () => {
  const response = await start('named');
  expect(response.raw?.contentType).toMatch(/^text\/csv/);
  expect(response.headers).toMatchObject({
    'Content-Disposition': 'attachment; filename="events.csv"',
    'X-Download-Max-Rows': '100000',
    'X-Download-Truncated': 'false',
  });
  expect(await new Response(open(response)).text()).toBe('"id"\r\n"1"\r\n');
});

it('says that more rows may match, and releases its slot when that cannot be known', async () => {
  const response = await start('long', requestOf(), undefined, async () => true);
  expect(response.headers?.['X-Download-Truncated']).toBe('true');
  await open(response).cancel();
  const failing = () =>
    start('long', requestOf(), undefined, () => Promise.reject(new AppError('internal_error', 'Away.')));
  expect(await codeOf(failing)).toBe('internal_error');
  await open(await start('long')).cancel();
});

it('allows a caller one download at a time, and the next once it has ended or is canceled', async () => {
  const running = await start('busy');
  expect(await codeOf(() => start('busy'))).toBe('rate_limited');
  await new Response(open(running)).text();
  const canceled = await start('busy');
  await open(canceled).cancel();
  await open(await start('busy')).cancel();
});

it('refuses a third download of an organization, whichever keys ask, and not that of another one', async () => {
  const ofOrganization = (keyId: string) => start(keyId, undefined, undefined, undefined, 'acme');
  const first = await ofOrganization('one');
  const second = await ofOrganization('two');
  expect(await codeOf(() => ofOrganization('three'))).toBe('rate_limited');
  await open(await start('other')).cancel();
  await open(first).cancel();
  await open(await ofOrganization('three')).cancel();
  await open(second).cancel();
});

it('refuses a download while six others run, whoever asks, and allows it once one has ended', async () => {
  const running = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((keyId) => start(keyId)));
  expect(await codeOf(() => start('g'))).toBe('overloaded');
  for (const response of running) await open(response).cancel();
  await open(await start('g')).cancel();
});

it('is ready for the next download after reading fails', async () => {
  const failing = await start('failing', requestOf(), () => Promise.reject(new Error('the database is away')));
  await expect(new Response(open(failing)).text()).rejects.toThrow();
  await open(await start('failing')).cancel();
});

it.each(['limit=50', 'cursor=', 'limit=50&cursor='])('accepts %s, which generated clients send', async (query) => {
  await open(await start('defaults', requestOf(query))).cancel();
});

it.each(['limit=10', 'cursor=x'])('refuses %s, since a file has no pages, and takes no slot', async (query) => {
  expect(await codeOf(() => start('paged', requestOf(query)))).toBe('validation_failed');
  await open(await start('paged', requestOf('type=a'))).cancel();
});

it('takes no slot and reads nothing for HEAD', async () => {
  const read = () => Promise.reject(new Error('must not be read'));
  for (let n = 0; n < 5; n++) expect((await start('head', requestOf('', 'HEAD'), read)).status).toBe(200);
});

it.each([
  ['csv', true],
  ['ndjson', true],
  ['json', false],
  [undefined, false],
] as const)('the format %s asks for a file: %s', (format, expected) => {
  expect(isFile(format)).toBe(expected);
});
