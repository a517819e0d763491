import { beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint, EndpointSecret } from '@/lib/delivery/schema';
import type { Destination } from '@/lib/incoming/schema';
import { config } from '@/lib/platform/config/config';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { expectInvalid } from '@/tests/http/api-request';

useDatabase();

let project: TestProject;
const { send, manage, makeSource } = sourceTools(() => project);
const url = 'https://receiver.example/hook';
const TUNNEL = `/t/${'a'.repeat(43)}`;

type Target = Endpoint | Destination;

describe.each([
  ['an endpoint', 'endpoints', async (): Promise<string> => '/endpoints', {}],
  [
    'a destination',
    'destinations',
    async (): Promise<string> => `/sources/${(await makeSource()).id}/destinations`,
    { signing: true },
  ],
] as const)('%s', (_, table, pathOf, signing) => {
  let path: string;
  beforeEach(async () => {
    project = await makeTestProject();
    path = await pathOf();
  });

  /** Makes one with a signing secret. @returns its path */
  const make = async (body: object = {}) =>
    `${path}/${(await manage<Target>('POST', path, { url, ...signing, ...body })).id}`;
  const change = async (one: string, body: object) => (await send<Target>('PATCH', one, body)).json;

  it.each([
    '',
    'nonsense',
    '/hook',
    'ftp://a.example',
    'javascript:alert(1)',
    'https://u:p@a.example',
    'https://a.example/#x',
    `https://a.example/${'x'.repeat(2048)}`,
    'https://a.example/\u0000',
    'https://a.example/?x=\r\nURGENT',
    'https://a.exa\tmple/',
  ])('has no URL that is not HTTP, too long, or has a password, a fragment or a control character: %j', async (bad) => {
    expectInvalid(await send('POST', path, { url: bad }), 'url');
  });

  it('has no URL of this service, except of its tunnels', async () => {
    const { baseUrl } = config();
    const message = expect.stringContaining('this service');
    const refused = { status: 400, json: { errors: [{ path: 'url', message }] } };
    for (const own of [`${baseUrl}/api/v1/projects/P/incoming-events/E/replay`, `${baseUrl}${TUNNEL}/%2e%2e/api`]) {
      expect(await send('POST', path, { url: own })).toMatchObject(refused);
    }
    const one = await make({ url: baseUrl + TUNNEL });
    expect(await send('PATCH', one, { url: baseUrl.replace('localhost', '127.0.0.1') })).toMatchObject(refused);
    expect(await send('PATCH', one, { url: `${baseUrl}${TUNNEL}/hook` })).toMatchObject({ status: 200 });
  });

  it('has a retry schedule of whole seconds from 1 to seven days only', async () => {
    for (const retrySeconds of [[0], [-1], [1.5], ['5'], [604_801], Array(31).fill(1), 5]) {
      expect((await send('POST', path, { url, retrySeconds })).status, JSON.stringify(retrySeconds)).toBe(400);
    }
  });

  it('has a secret that is encrypted at rest, shown on request, and valid for 24 hours after a rotation', async () => {
    const one = await make();
    const { secret } = await manage<EndpointSecret>('GET', `${one}/secret`);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const rows = await select(`SELECT row_to_json(t)::text AS row FROM ${table} t WHERE project_id = $1`, project.id);
    expect(rows[0].row).not.toContain(secret);
    expect(rows[0].row).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'));
    const rotated = await manage<EndpointSecret>('POST', `${one}/rotate-secret`);
    expect(rotated.secret).not.toBe(secret);
    expect(await manage<EndpointSecret>('GET', `${one}/secret`)).toEqual(rotated);
    const endsAt = Date.parse(rotated.previousSecretExpiresAt ?? '');
    expect(Math.abs(endsAt - Date.now() - 86_400_000)).toBeLessThan(5_000);
  });

  it('keeps the old secret for the grace period that is asked for, a week at most, or not at all', async () => {
    const one = await make();
    const rotate = (gracePeriodHours: number) =>
      send<EndpointSecret>('POST', `${one}/rotate-secret`, { gracePeriodHours });
    const { json } = await rotate(168);
    expect(Math.abs(Date.parse(json.previousSecretExpiresAt ?? '') - Date.now() - 168 * 3_600_000)).toBeLessThan(5_000);
    expect((await rotate(0)).json.previousSecretExpiresAt).toBeNull();
    for (const hours of [-1, 169, 0.5]) expectInvalid(await rotate(hours), 'gracePeriodHours');
  });

  it('loses the old secret at once when that is asked for, and keeps the new one', async () => {
    const one = await make();
    const rotated = await manage<EndpointSecret>('POST', `${one}/rotate-secret`);
    for (const _ of ['the old one', 'none']) {
      expect((await send('DELETE', `${one}/previous-secret`)).status).toBe(204);
      expect(await manage('GET', `${one}/secret`)).toEqual({ secret: rotated.secret, previousSecretExpiresAt: null });
    }
  });

  it('is paused with a reason, which is kept until it is enabled', async () => {
    const one = await make();
    const pauseReason = 'Maintenance until noon';
    expectInvalid(await send('PATCH', one, { pauseReason }), 'pauseReason');
    const paused = await change(one, { enabled: false, pauseReason });
    expect(paused).toMatchObject({ enabled: false, pauseReason, disabledReason: null });
    expect(paused.disabledAt).toMatch(/Z$/);
    const { disabledAt } = paused;
    expect(await change(one, { pauseReason: 'Longer' })).toMatchObject({ pauseReason: 'Longer', disabledAt });
    expectInvalid(await send('PATCH', one, { pauseReason: 'x'.repeat(201) }), 'pauseReason');
    expect(await change(one, { enabled: true })).toMatchObject({ enabled: true, pauseReason: null, disabledAt: null });
  });

  it('shows why it was disabled, and forgets its failures when it is enabled', async () => {
    const one = await make();
    await run(
      `UPDATE ${table} SET enabled = false, disabled_reason = 'gone', disabled_at = now(), failing_since = now()
       WHERE project_id = $1`,
      project.id,
    );
    expect(await manage<Target>('GET', one)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    const healthy = { enabled: true, disabledReason: null, disabledAt: null, failingSince: null };
    expect(await change(one, { enabled: true })).toMatchObject(healthy);
  });

  it('keeps its failures when a change repeats that it is enabled', async () => {
    const one = await make();
    await run(`UPDATE ${table} SET failing_since = now() WHERE project_id = $1`, project.id);
    const { failingSince } = await change(one, { description: 'Billing', enabled: true });
    expect(failingSince).toMatch(/Z$/);
  });

  it('forgets its failures when its URL changes, and keeps them when it is repeated', async () => {
    const one = await make();
    await run(`UPDATE ${table} SET failing_since = now() WHERE project_id = $1`, project.id);
    const { url } = await manage<Target>('GET', one);
    expect((await change(one, { url })).failingSince).toMatch(/Z$/);
    expect((await change(one, { url: 'https://other.example/hook' })).failingSince).toBeNull();
  });

  it('gets 404 on every path once it is deleted', async () => {
    const one = await make();
    expect((await send('DELETE', one)).status).toBe(204);
    for (const [verb, tail] of [
      ['GET', ''] as const,
      ['PATCH', ''] as const,
      ['DELETE', ''] as const,
      ['GET', '/secret'] as const,
      ['POST', '/rotate-secret'] as const,
      ['DELETE', '/previous-secret'] as const,
    ]) {
      expect((await send(verb, one + tail, verb === 'PATCH' ? {} : undefined)).status, `${verb} ${tail}`).toBe(404);
    }
  });
});
