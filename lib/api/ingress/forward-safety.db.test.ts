import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Delivery } from '@/lib/delivery/schema';
import { newId } from '@/lib/platform/ids';
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

describe('forwards from source to source', () => {
  const origin = async () => {
    const server = createServer(async (message, response) => {
      const body = Buffer.concat(await message.toArray());
      const { status, text } = await call('POST', message.url ?? '/', {
        body: body.toString(),
        headers: message.headers as Record<string, string>,
      });
      response.writeHead(status).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const chain = async (from: MadeSource, to: MadeSource, own: string) =>
    manage('POST', `/sources/${from.id}/destinations`, { url: own + new URL(to.url).pathname, retrySeconds: [3600] });
  const countOf = async ({ id }: MadeSource) =>
    (await manage<{ data: unknown[] }>('GET', `/incoming-events?sourceId=${id}`)).data.length;
  const lastErrors = async () => {
    const listed = await manage<{ data: Delivery[] }>('GET', '/deliveries?limit=100');
    return listed.data.map(({ status, lastError }) => lastError ?? status);
  };

  it('reach the next source, and end at a source that has forwarded the event before', async () => {
    const own = await origin();
    const [first, second] = [await makeSource('NONE'), await makeSource('NONE')];
    await chain(first, second, own);
    await chain(second, first, own);
    await chain(second, second, own);
    await post(first, 'x');
    await startWorker();
    await waitFor('the end', async () => (await lastErrors()).filter((error) => error !== 'PENDING').length === 3);
    expect((await lastErrors()).sort()).toEqual(['Answered with status 409', 'Answered with status 409', 'SUCCEEDED']);
    expect([await countOf(first), await countOf(second)]).toEqual([1, 1]);
  });

  it('pass through five sources at most', async () => {
    const [source, receiver] = [await makeSource('NONE'), await startReceiver()];
    await makeDestination(source, receiver);
    const ids = Array.from({ length: 5 }, () => newId());
    const path = new URL(source.url).pathname;
    expect((await call('POST', path, { body: 'x', headers: { 'x-eds-via': ids.join(', ') } })).json).toMatchObject({
      status: 409,
      code: 'conflict',
      detail: expect.stringContaining('5 sources'),
    });
    const four = ids.slice(1).join(', ');
    expect((await post(source, 'x', { 'x-eds-via': `${four}, not an id` })).status).toBe(202);
    await startWorker();
    expect((await onlyRequest(receiver)).headers['x-eds-via']).toBe(`${four}, ${source.id}`);
  });
});
