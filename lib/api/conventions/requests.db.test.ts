import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '@/lib/delivery/schema';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { call as callDirectly } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();
const adapters = useAdapters();

const asOwner = () => ({ bearer: projects.mine.owner.accessToken });
const pathOf = (rest: string, projectId = projects.mine.id) => `/api/v1/projects/${projectId}${rest}`;
let endpointId: string;

beforeAll(async () => {
  const body = { url: 'https://receiver.example/' };
  const made = await callDirectly<Endpoint>('POST', pathOf('/endpoints'), { ...asOwner(), body });
  expect(made.status, made.text).toBe(201);
  endpointId = made.json.id;
  for (let index = 0; index < 3; index += 1) {
    const event = { type: 'order.paid', data: { index } };
    expect((await callDirectly('POST', '/api/v1/events', { apiKey: projects.mine.key, body: event })).status).toBe(202);
  }
});

describe.each(adapters)('a request %s', (_name, call) => {
  const rotate = (body: string | undefined, contentType = 'application/json') =>
    call('POST', pathOf(`/endpoints/${endpointId}/rotate-secret`), {
      ...asOwner(),
      headers: { 'content-type': contentType },
      ...(body === undefined ? {} : { body }),
    });

  it('with an unexpected body is refused with the error that fits the body', async () => {
    expect((await rotate('{"nonsense":1}')).json).toMatchObject({
      status: 400,
      code: 'validation_failed',
      errors: [{ path: 'nonsense', message: 'is not a known field' }],
    });
    expect((await rotate('[1]')).json).toMatchObject({ status: 400, code: 'validation_failed' });
    expect((await rotate('{')).json).toMatchObject({ status: 400, code: 'invalid_json' });
    expect((await rotate('<a/>', 'application/xml')).json).toMatchObject({ status: 415 });
    expect((await rotate(JSON.stringify({ x: 'x'.repeat(70_000) }))).status).toBe(413);
  });

  it('is served without a body, or with an empty object, when no body is expected', async () => {
    expect((await rotate(undefined)).status).toBe(200);
    expect((await rotate('{}')).status).toBe(200);
    expect((await rotate('', 'text/plain')).status).toBe(200);
  });

  it('that repeats a parameter is refused, and the parameter is named', async () => {
    const response = await call('GET', pathOf('/events?limit=1&limit=2'), asOwner());
    expect(response.json).toMatchObject({
      status: 400,
      errors: [{ path: 'limit', message: 'appears more than once' }],
    });
    expect((await call('GET', pathOf('/events?limit=1'), asOwner())).status).toBe(200);
  });

  it('with a cursor of another list is refused, and with one of its own list is served', async () => {
    const first = (await call<Listing<unknown>>('GET', pathOf('/events?limit=1'), asOwner())).json;
    const cursor = `cursor=${first.nextCursor}`;
    expect((await call('GET', pathOf(`/events?${cursor}`), asOwner())).status).toBe(200);
    for (const path of [pathOf(`/api-keys?${cursor}`), pathOf(`/endpoints?${cursor}`)]) {
      expect((await call('GET', path, asOwner())).json, path).toMatchObject({
        status: 400,
        errors: [{ path: 'cursor', message: 'is not a cursor of this list' }],
      });
    }
    const { foreign } = projects;
    const elsewhere = await call('GET', pathOf(`/events?${cursor}`, foreign.id), {
      bearer: foreign.owner.accessToken,
    });
    expect(elsewhere.status).toBe(400);
  });

  it.each(['utf-8', 'UTF-8', 'utf8', '"utf-8"'])('may have charset=%s', async (charset) => {
    const headers = { 'content-type': `application/json; charset=${charset}` };
    const body = '{"type":"order.paid","data":{}}';
    expect((await call('POST', '/api/v1/events', { apiKey: projects.mine.key, headers, body })).status).toBe(202);
  });

  it('may not have another charset', async () => {
    const headers = { 'content-type': 'application/json; charset=latin1' };
    const body = '{"type":"order.paid","data":{}}';
    expect((await call('POST', '/api/v1/events', { apiKey: projects.mine.key, headers, body })).status).toBe(415);
  });
});
