import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EndpointSecret, TestResult } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { call } from '@/tests/http/api-request';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();

describe('testing an endpoint', () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  let [port, status] = [0, 200];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(status).end('seen');
    });
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    port = (receiver.address() as AddressInfo).port;
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    received.length = 0;
  });

  const test = async (endpointId: string, credential: object = asOwner()) =>
    call<TestResult>('POST', `${base()}/endpoints/${endpointId}/test`, credential);
  const here = () => ({ url: `http://127.0.0.1:${port}/hook` });

  it('sends one event at once, signed with the secret of the endpoint, and stores none', async () => {
    const { id } = await makeEndpoint(projects.mine, here());
    const { json } = await call<EndpointSecret>('GET', `${base()}/endpoints/${id}/secret`, asOwner());
    const before = await database().query('SELECT count(*) FROM events');
    const tested = await test(id);
    expect(tested.json).toMatchObject({ succeeded: true, responseStatus: 200, error: null, responseBody: 'seen' });
    const [seen] = received.splice(0);
    const verified = new Webhook(json.secret).verify(seen?.body ?? '', seen?.headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'endpoint.test' });
    expect((await database().query('SELECT count(*) FROM events')).rows).toEqual(before.rows);
  });

  it('sends the given type, and data without changing a digit, and shows the request and the response', async () => {
    const { id } = await makeEndpoint(projects.mine, here());
    const body = '{"type":"order.paid","data":{"n":12345678901234567890,"price":1.10}}';
    const { json } = await call<TestResult>('POST', `${base()}/endpoints/${id}/test`, { ...asOwner(), body });
    const [seen] = received.splice(0);
    expect(seen?.body).toMatch(/^\{"type":"order\.paid",.*"data":\{"n":12345678901234567890,"price":1\.10\}\}$/);
    expect(json.request).toMatchObject({ method: 'POST', url: here().url, body: seen?.body });
    expect(Object.fromEntries(json.request?.headers ?? [])).toEqual(seen?.headers);
    expect(json).toMatchObject({ remoteAddress: `127.0.0.1:${port}`, timing: { firstByteMs: expect.any(Number) } });
    expect(Object.fromEntries(json.responseHeaders ?? [])).toHaveProperty('date');
  });

  it.each([
    [{ type: 'with space' }, 400],
    [{ data: [1] }, 400],
    [{ data: {}, extra: 1 }, 400],
    [{ data: { a: 'x'.repeat(256 * 1024) } }, 413],
  ])('refuses a bad event', async (body, status) => {
    const { id } = await makeEndpoint(projects.mine, here());
    const refused = await call('POST', `${base()}/endpoints/${id}/test`, { ...asOwner(), body });
    expect([refused.status, received.length]).toEqual([status, 0]);
  });

  it('signs with both secrets during a rotation', async () => {
    const { id } = await makeEndpoint(projects.mine, here());
    const old = await call<EndpointSecret>('GET', `${base()}/endpoints/${id}/secret`, asOwner());
    const { json } = await call<EndpointSecret>('POST', `${base()}/endpoints/${id}/rotate-secret`, asOwner());
    await test(id);
    const [seen] = received.splice(0);
    for (const secret of [old.json.secret, json.secret]) {
      expect(() => new Webhook(secret).verify(seen?.body ?? '', seen?.headers as Record<string, string>)).not.toThrow();
    }
  });

  it('reports an error status, and an address without a listener', async () => {
    const { id } = await makeEndpoint(projects.mine, here());
    status = 503;
    expect((await test(id)).json).toMatchObject({ succeeded: false, responseStatus: 503 });
    status = 200;
    const dead = await makeEndpoint(projects.mine, { url: 'http://127.0.0.1:1/' });
    const { json } = await test(dead.id);
    expect(json).toMatchObject({ succeeded: false, responseStatus: null });
    expect(json.error).toMatch(/refused/i);
  });
});
