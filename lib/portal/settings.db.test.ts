import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PersonCaller } from '@/lib/audit/caller';
import { closeDeliveryPools } from '@/lib/delivery/engine/send-once';
import type { Project } from '@/lib/orgs/schema';
import { config } from '@/lib/platform/config/config';
import { STALE_MS, shareConnections } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import type { AppError } from '@/lib/platform/errors';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { asPerson, makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, expectInvalid, expectProblem, type Problem } from '@/tests/http/api-request';
import { type Responder, respondWith, startReceiver, waitFor } from '@/tests/http/receiver';
import { fetchLogo } from './fetch-logo';
import { allowedOriginsOf, portalSettingsOf } from './settings';

useDatabase();

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let owner: TestPerson;
let project: Project;

beforeEach(async () => {
  owner = await registerPerson();
  project = await makeProject(owner, 'Shop');
});

afterEach(closeDeliveryPools);

const patch = (portal: object, who = owner) =>
  call<Project>('PATCH', `/api/v1/projects/${project.id}`, asPerson(who, { portal }));
const read = async () => (await call<Project>('GET', `/api/v1/projects/${project.id}`, asPerson(owner))).json.portal;

describe('the settings of a portal', () => {
  it('are merged by member, and null clears one', async () => {
    const origins = ['https://app.example.com', 'http://localhost:3000'];
    const made = await patch({ name: ' Acme ', accentColor: '#ff8800', allowedOrigins: origins });
    const set = { name: 'Acme', accentColor: '#ff8800', logoUrl: null, logoPath: null, allowedOrigins: origins };
    expect(made.json.portal).toEqual(set);
    await patch({ accentColor: '#00AA00' });
    expect(await read()).toEqual({ ...set, accentColor: '#00AA00' });
    await patch({ name: null, allowedOrigins: null });
    expect(await read()).toEqual({ ...set, name: null, accentColor: '#00AA00', allowedOrigins: [] });
    expect(await portalSettingsOf(project.id)).toEqual({ name: 'Shop', accentColor: '#00AA00', logoUrl: null });
  });

  it('are in the audit log by member, before and after, once they change', async () => {
    await patch({ name: 'Acme', accentColor: '#ff8800' });
    await patch({ name: 'Acme', allowedOrigins: ['https://app.example.com'] });
    await patch({ name: 'Acme' });
    const changed = (await auditOf(project.id)).filter(({ action }) => action === 'project.updated');
    expect(changed.map(({ details }) => details)).toEqual([
      {
        changes: {
          'portal.name': { from: null, to: 'Acme' },
          'portal.accentColor': { from: null, to: '#ff8800' },
        },
      },
      { changes: { 'portal.allowedOrigins': { from: [], to: ['https://app.example.com'] } } },
    ]);
  });

  it('are changed by admins, and not by developers', async () => {
    const [admin, developer] = [
      await registerMember(owner.organizationId, 'ADMIN'),
      await registerMember(owner.organizationId, 'DEVELOPER'),
    ];
    expectProblem(await patch({ name: 'Acme' }, developer), 403, 'forbidden');
    expect((await patch({ name: 'Acme' }, admin)).status).toBe(200);
  });

  it.each([
    ['name', ''],
    ['accentColor', 'red'],
    ['accentColor', '#fff'],
    ['accentColor', '#ffffff00'],
    ['logoUrl', 'http://www.example.com/logo.png'],
    ['logoUrl', 'https://user:password@www.example.com/logo.png'],
    ['logoUrl', 'data:image/png;base64,AA=='],
    ['theme', 'dark'],
  ])('refuse the %s %j', async (member, value) => {
    expectInvalid(await patch({ [member]: value }), `portal.${member}`);
    expect(await read()).toMatchObject({ name: null, accentColor: null, logoUrl: null });
  });

  it.each([
    'https://app.example.com/',
    'https://app.example.com/page',
    'https://APP.example.com',
    'https://app.example.com:443',
    'http://app.example.com',
    'https://*.example.com',
    'https://app.example.com;',
    'https://a.example,https://b.example',
    "https://'none'.example.com",
    'http://[::1]:3000',
    'app.example.com',
    'null',
    '*',
    'ftp://app.example.com',
  ])('refuse %j as an origin that may frame it', async (origin) => {
    expectInvalid(await patch({ allowedOrigins: ['https://app.example.com', origin] }), 'portal.allowedOrigins.1');
  });

  it('take twenty origins, and neither more nor one twice', async () => {
    const origins = Array.from({ length: 21 }, (_, index) => `https://app-${index}.example.com`);
    expectInvalid(await patch({ allowedOrigins: origins }), 'portal.allowedOrigins');
    expectInvalid(await patch({ allowedOrigins: [origins[0], origins[0]] }), 'portal.allowedOrigins');
    expect((await patch({ allowedOrigins: origins.slice(1) })).status).toBe(200);
  });
});

describe('the origins that may frame a portal', () => {
  it('are those of a live project, and none of an unknown one', async () => {
    await patch({ allowedOrigins: ['https://app.example.com'] });
    expect(await allowedOriginsOf(project.id)).toEqual(['https://app.example.com']);
    expect(await allowedOriginsOf(newId())).toEqual([]);
    expect(await allowedOriginsOf('no id')).toEqual([]);
    setOnce('portal-origins', undefined);
    await call('DELETE', `/api/v1/projects/${project.id}`, asPerson(owner));
    expect(await allowedOriginsOf(project.id)).toEqual([]);
  });
});

it('the origins are read in nobody’s share of the connections, since others may wait for the same read', async () => {
  setOnce('portal-origins', undefined);
  await shareConnections({ network: '192.0.2.1', isReading: true }, async () => {
    const held = [await database().connect(), await database().connect()];
    expect(await allowedOriginsOf(project.id)).toEqual([]);
    for (const connection of held) connection.release();
  });
});

it('a change of the origins takes effect within ten seconds in a process that has read them', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await allowedOriginsOf(project.id)).toEqual([]);
  await patch({ allowedOrigins: ['https://app.example.com'] });
  vi.advanceTimersByTime(9_000);
  expect(await allowedOriginsOf(project.id)).toEqual(['https://app.example.com']);
});

describe('the logo of a portal', () => {
  const start = async (answer: Responder) => {
    const { url, received } = await startReceiver(answer);
    return { url, received };
  };
  const reasonOf = ({ json }: { json: unknown }) => (json as Problem).errors?.[0];

  it.each([
    ['image/png', PNG],
    ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0])],
    ['image/webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1')],
  ])('is fetched once, and served by a hash that nobody can compute as %s', async (mediaType, picture) => {
    const { url, received } = await start((response) => response.setHeader('content-type', 'text/html').end(picture));
    const { portal } = (await patch({ logoUrl: url })).json;
    const path = portal.logoPath ?? '';
    expect(path).toMatch(/^\/api\/v1\/portal\/logos\/[\w-]{43}$/);
    expect(portal).toMatchObject({ logoUrl: url });
    const hash = createHash('sha256').update(picture).digest('base64url');
    expectProblem(await call('GET', `/api/v1/portal/logos/${hash}`), 404, 'not_found');
    expect(await portalSettingsOf(project.id)).toMatchObject({ logoUrl: path });
    expect(received).toMatchObject([{ method: 'GET', body: '' }]);
    const { status, headers } = await call('GET', path);
    expect([status, headers['content-type'], headers['x-content-type-options'], headers['cache-control']]).toEqual([
      200,
      mediaType,
      'nosniff',
      'public, max-age=31536000, immutable',
    ]);
    await patch({ name: 'Acme' });
    expect((await call('GET', path)).status).toBe(200);
    expect((await patch({ logoUrl: null })).json.portal).toMatchObject({ logoUrl: null, logoPath: null });
    expectProblem(await call('GET', path), 404, 'not_found');
    expect(received).toHaveLength(1);
  });

  it.each<[string, Responder, string]>([
    ['a page', respondWith(200, '<html>'), 'is not a PNG, JPEG or WebP image'],
    ['an SVG image', respondWith(200, '<svg xmlns="http://www.w3.org/2000/svg"/>'), 'is not a PNG, JPEG or WebP image'],
    ['nothing', respondWith(200), 'is not a PNG, JPEG or WebP image'],
    ['an error', respondWith(404), 'could not be fetched: its server answered with status 404'],
    ['a redirect', respondWith(302, '', { location: 'https://x.example' }), 'leads to another URL (status 302)'],
    ['what is encoded', respondWith(200, 'x', { 'content-encoding': 'gzip' }), 'is sent compressed'],
    ['too much', (response) => response.end(Buffer.concat([PNG, Buffer.alloc(64 * 1024)])), 'is larger than 64 KiB'],
    ['no end', (response) => response.write(PNG), 'could not be fetched: it did not arrive within 5 s'],
    ['half of it', (response) => response.setHeader('content-length', 99_999).write(PNG, () => response.destroy()), ''],
  ])('is refused in words when its server answers with %s', async (_, answer, reason) => {
    const { url } = await start(answer);
    const refused = await patch({ name: 'Acme', logoUrl: url });
    expectInvalid(refused, 'portal.logoUrl');
    expect(reasonOf(refused)?.message).toContain(reason);
    expect(await read()).toMatchObject({ name: null, logoUrl: null });
  });

  it('is fetched from public addresses only, whatever other deliveries may reach', async () => {
    const { url, received } = await start((response) => response.end(PNG));
    const caller = { organizationId: owner.organizationId, client: {} } as PersonCaller;
    const reasonFor = (logoUrl: string) =>
      fetchLogo(caller, project.id, logoUrl).catch((error: AppError) => error.options.errors?.[0]);
    const local = config();
    setOnce('config', { ...local, baseUrl: 'https://eds.corp.example', DELIVERY_ALLOWED_CIDRS: ['127.0.0.0/8'] });
    onTestFinished(() => setOnce('config', local));
    expect(await reasonFor(url)).toEqual({
      path: 'portal.logoUrl',
      message: 'could not be fetched: address is not public',
    });
    expect(await reasonFor('https://eds.corp.example/logo.png')).toMatchObject({
      message: 'is an address of this service',
    });
    expect(received).toHaveLength(0);
  });

  it('is fetched for others while those of ten tenants do not arrive', async () => {
    const hanging = await start(() => {});
    const tenants = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const person = await registerPerson();
        return { person, path: `/api/v1/projects/${(await makeProject(person, 'Shop')).id}` };
      }),
    );
    const body = { portal: { logoUrl: hanging.url } };
    const waiting = tenants.map(({ person, path }) => call('PATCH', path, asPerson(person, body)));
    await waitFor('all ten requests', () => hanging.received.length === 10);
    const { url } = await start((response) => response.end(PNG));
    expect((await patch({ logoUrl: url })).status).toBe(200);
    for (const refused of await Promise.all(waiting)) expectInvalid(refused, 'portal.logoUrl');
  });

  it('is stored for an admin when it arrives, and nothing is for one who was removed meanwhile', async () => {
    const held: ServerResponse[] = [];
    const { url } = await start((response) => held.push(response));
    const removed = await registerMember(owner.organizationId, 'ADMIN');
    const other = await registerPerson();
    const admin = await registerMember(other.organizationId, 'ADMIN');
    const path = `/api/v1/projects/${(await makeProject(other)).id}`;
    const asked = [
      patch({ logoUrl: url, allowedOrigins: ['https://removed.example'] }, removed),
      call('PATCH', path, asPerson(admin, { portal: { logoUrl: url } })),
    ];
    await waitFor('both requests', () => held.length === 2);
    await sleep(STALE_MS);
    const membership = `/api/v1/orgs/${owner.organizationId}/members/${removed.userId}`;
    expect((await call('DELETE', membership, asPerson(owner))).status).toBe(204);
    for (const response of held) response.end(PNG);
    const [ofRemoved, ofAdmin] = await Promise.all(asked);
    expect([ofRemoved?.status, ofAdmin?.status]).toEqual([404, 200]);
    expect(await read()).toMatchObject({ logoUrl: null, allowedOrigins: [] });
  });

  it('is fetched ten times in a minute at most', async () => {
    const { url } = await start(respondWith(404));
    for (let count = 0; count < 10; count += 1) expectInvalid(await patch({ logoUrl: url }), 'portal.logoUrl');
    expectProblem(await patch({ logoUrl: url }), 429, 'rate_limited');
  });
});
