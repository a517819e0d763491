import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Delivery } from '@/lib/delivery/schema';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type MadeSource, onlyRequest, sourceTools } from '@/tests/fixtures/sources';
import { call } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();

let project: TestProject;
beforeEach(async () => {
  project = await makeTestProject();
});

const { manage, makeSource, makeDestination, post, deliveriesOf } = sourceTools(() => project);

describe('the credential of a destination', () => {
  it.each([
    [200, { type: 'BEARER', token: 'bearer-s3cret' }],
    [500, { type: 'BASIC', username: 'shop', password: 'basic-s3cret' }],
    [500, { type: 'HEADER', name: 'X-Key', value: 'header "s3cret' }],
  ])('is not kept with an attempt when the receiver answers %i and repeats it (%j)', async (status, auth) => {
    const receiver = await startReceiver((response, _, { headers }) => {
      const carried = headers.authorization ?? String(headers['x-key']);
      const decoded = Buffer.from(carried.split(' ')[1] ?? '', 'base64').toString();
      response.writeHead(status).end(`start ${JSON.stringify(headers)} ${carried} ${decoded} end`);
    });
    const source = await makeSource('NONE');
    await makeDestination(source, receiver, { auth, retrySeconds: [3600] });
    const sent = await post(source, 'x');
    await startWorker();
    const made = async () => (await deliveriesOf(sent.json.id)).find(({ attemptCount }) => attemptCount === 1);
    await waitFor('the attempt', async () => (await made()) !== undefined);
    const attempts = await manage<{ data: { responseBody: string }[] }>(
      'GET',
      `/deliveries/${(await made())?.id}/attempts`,
    );
    const text = attempts.data[0]?.responseBody;
    expect(text).toMatch(/^start .*x-eds-via.* end$/);
    expect(text).not.toContain('s3cret');
    expect(text).not.toContain(btoa('shop:basic-s3cret'));
  });
});

/** A proxy with another name that leads to this service. */
async function startProxy(change: (headers: Record<string, string>) => Record<string, string> = (headers) => headers) {
  const server = createServer(async (message, response) => {
    const body = Buffer.concat(await message.toArray()).toString();
    const headers = change(message.headers as Record<string, string>);
    const { status, text } = await call('POST', message.url ?? '/', { body, headers });
    response.writeHead(status).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const chain = async (from: MadeSource, to: MadeSource, proxy: string) =>
  manage('POST', `/sources/${from.id}/destinations`, { url: proxy + new URL(to.url).pathname, retrySeconds: [3600] });
const countOf = async ({ id }: MadeSource) =>
  (await manage<{ data: unknown[] }>('GET', `/incoming-events?sourceId=${id}`)).data.length;
const lastErrors = async () => {
  const listed = await manage<{ data: Delivery[] }>('GET', '/deliveries?limit=100');
  return listed.data.map(({ status, lastError }) => lastError ?? status);
};
const settled = (count: number) => async () =>
  (await lastErrors()).filter((error) => error !== 'PENDING').length === count;

describe('forwards that a proxy leads to another source', () => {
  it('reach it, and end at a source that has forwarded the event before', async () => {
    const proxy = await startProxy();
    const [first, second] = [await makeSource('NONE'), await makeSource('NONE')];
    await chain(first, second, proxy);
    await chain(second, first, proxy);
    await chain(second, second, proxy);
    await post(first, 'x');
    await startWorker();
    await waitFor('the end', settled(3));
    expect((await lastErrors()).sort()).toEqual(['Answered with status 409', 'Answered with status 409', 'SUCCEEDED']);
    expect([await countOf(first), await countOf(second)]).toEqual([1, 1]);
  });

  it('pass through three sources at most', async () => {
    const proxy = await startProxy();
    const sources = await Promise.all(Array.from({ length: 5 }, () => makeSource('NONE')));
    for (const [index, to] of sources.slice(1).entries()) await chain(sources[index] as MadeSource, to, proxy);
    await post(sources[0] as MadeSource, 'x');
    await startWorker();
    await waitFor('the end', settled(3));
    expect(await Promise.all(sources.map(countOf))).toEqual([1, 1, 1, 0, 0]);
    expect(await lastErrors()).toEqual(['Answered with status 409', 'SUCCEEDED', 'SUCCEEDED']);
  });

  it('cause a thousand further deliveries of one event at most, in all branches together', async () => {
    const receiver = await startReceiver();
    const [first, second, third] = [await makeSource('NONE'), await makeSource('NONE'), await makeSource('NONE')];
    await makeDestination(first, receiver);
    for (const source of [second, third]) {
      for (let made = 0; made < 9; made += 1) await makeDestination(source, receiver, { enabled: made < 8 });
    }
    await post(first, 'x');
    await startWorker();
    const { headers } = await onlyRequest(receiver);
    const again = { 'x-eds-via': String(headers['x-eds-via']) };
    // Eight enabled destinations and the event cost 9 of the 1,000, and 27 with a body of 150 KiB.
    for (let sent = 0; sent < 108; sent += 1) {
      expect((await post(sent % 2 === 0 ? second : third, 'x', again)).status).toBe(202);
    }
    expect((await post(second, 'x'.repeat(150 * 1024), again)).status).toBe(202);
    expect((await post(third, 'x', again)).json).toMatchObject({
      ...{ status: 409, code: 'conflict', detail: expect.stringContaining('1,000 further deliveries') },
    });
    expect((await post(third, 'x')).status).toBe(202);
    const forged = String(headers['x-eds-via']).replace(/..$/, (end) => (end === 'AA' ? 'BB' : 'AA'));
    expect((await post(third, 'x', { 'x-eds-via': forged })).status).toBe(202);
  });
});
