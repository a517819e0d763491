import { request as httpRequest } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { CreatedApiKey } from '@/lib/keys/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { setRole } from '@/tests/fixtures/members';
import { registerMember } from '@/tests/fixtures/people';
import { makeTestProject } from '@/tests/fixtures/projects';
import { waitFor } from '@/tests/http/receiver';
import { testVariables } from '@/tests/setup/variables';
import { startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, makeTunnel } from '@/tests/tunnel/tunnel-server';
import { visit } from '@/tests/tunnel/visit';
import { startBalancer } from './start-balancer';
import { useWebProcesses } from './web-processes';

/** Every process of a deployment has the same public address, which its access tokens name. */
const variables = { ...testVariables(), APP_BASE_URL: 'http://localhost:3000' };
const db = useDatabase(variables);
const startWebs = useWebProcesses(() => ({ ...variables, DATABASE_URL: db.url }));

beforeEach(() => database().query('TRUNCATE rate_limits, login_lockouts'));

describe('with two web processes', () => {
  it('a key that is revoked or rotated at one, and a role that is taken at one, have no effect at the other any more', async () => {
    const [one, other] = await startWebs();
    const { key, keyId, id, owner } = await makeTestProject();
    const send = (apiKey = key) =>
      other.call('POST', '/api/v1/events', { apiKey, body: { type: 'order.paid', data: {} } });
    expect((await send()).status).toBe(202);
    const path = `/api/v1/projects/${id}/api-keys`;
    const bearer = owner.accessToken;
    const { json: old } = await one.call<CreatedApiKey>('POST', path, { bearer, body: { name: 'server' } });
    expect((await send(old.key)).status).toBe(202);
    const rotated = await one.call<CreatedApiKey>('POST', `${path}/${old.id}/rotate`, {
      bearer,
      body: { gracePeriodHours: 0 },
    });
    expect((await send(old.key)).json).toMatchObject({ status: 401, code: 'api_key_expired' });
    expect((await send(rotated.json.key)).status).toBe(202);
    expect((await one.call('DELETE', `${path}/${keyId}`, { bearer })).status).toBe(204);
    expect((await send()).json).toMatchObject({ status: 401, code: 'api_key_revoked' });

    const member = await registerMember(owner.organizationId, 'DEVELOPER');
    const make = () => other.call('POST', path, { bearer: member.accessToken, body: { name: 'mine' } });
    expect((await make()).status).toBe(201);
    await setRole(owner.organizationId, member, 'VIEWER');
    expect((await make()).status).toBe(403);
  });

  it('a list that is open at one shows what the other takes in', async () => {
    const [one, other] = await startWebs();
    const { key, id, owner } = await makeTestProject();
    let text = '';
    const headers = { Authorization: `Bearer ${owner.accessToken}` };
    const stream = httpRequest(`${other.origin}/api/v1/projects/${id}/changes?seconds=60`, { headers, agent: false });
    stream.on('response', (response) =>
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      }),
    );
    stream.on('error', () => undefined).end();
    onTestFinished(() => void stream.destroy());
    await waitFor('the stream', () => text.includes('event: ready'));
    expect(text).not.toContain('"events"');
    await one.call('POST', '/api/v1/events', { apiKey: key, body: { type: 'order.paid', data: {} } });
    await waitFor('the change', () => text.includes('"events"'), 5_000);
  });

  it('a tunnel answers behind a balancer, whichever process its client and its visitors reach', async () => {
    const [one, other] = await startWebs();
    const balancer = await startBalancer([one.port, other.port]);
    const tunnel = await makeTunnel(await makeTestProject());
    const local = await startLocal((message, response) => void response.end(`seen ${message.url}`));
    await connectClient(clientOf(balancer.origin, tunnel, local.url));
    const texts = [];
    for (let n = 0; n < 10; n++) texts.push(String((await visit(`${balancer.origin}${tunnel.prefix}/${n}`)).body));
    expect(texts).toEqual(texts.map((_, n) => `seen /${n}`));
    expect(balancer.counts.map((count) => count >= 4)).toEqual([true, true]);
  });
});
