import { request as httpRequest } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { SignedIn } from '@/lib/auth/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { setRole } from '@/tests/fixtures/members';
import { freshEmail, PASSWORD, refreshTokenOf, registerMember, registerPerson } from '@/tests/fixtures/people';
import { makeTestProject } from '@/tests/fixtures/projects';
import type { Call } from '@/tests/http/api-request';
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

const signIn = (call: Call, email: string, password = PASSWORD) =>
  call<SignedIn>('POST', '/api/v1/auth/login', { body: { email, password } });
const statusOf = async (call: Call, bearer: string) => (await call('GET', '/api/v1/auth/me', { bearer })).status;

describe('with two web processes', () => {
  it('a session that starts at one is known at the other, and ends at both at once', async () => {
    const [one, other] = await startWebs();
    const { email } = await registerPerson();
    const { accessToken } = (await signIn(one.call, email)).json;
    expect([await statusOf(one.call, accessToken), await statusOf(other.call, accessToken)]).toEqual([200, 200]);
    expect((await other.call('POST', '/api/v1/auth/logout', { bearer: accessToken })).status).toBe(204);
    expect([await statusOf(one.call, accessToken), await statusOf(other.call, accessToken)]).toEqual([401, 401]);
  });

  it('a refresh token that comes to both at once works once, and the winner stays signed in at both', async () => {
    const [one, other] = await startWebs();
    const { email } = await registerPerson();
    const cookie = `refresh_token=${refreshTokenOf(await signIn(one.call, email))}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? one : other).call<SignedIn & { code?: string }>('POST', '/api/v1/auth/refresh', { cookie }),
      ),
    );
    const [winner, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(answers.filter(({ json }) => json.code === 'refresh_superseded')).toHaveLength(19);
    for (const { call } of [one, other]) expect(await statusOf(call, winner?.json.accessToken ?? '')).toBe(200);
  });

  it('sign-in attempts count together: ten at both pass, and the eleventh gets 429 at each', async () => {
    const [one, other] = await startWebs({ AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: '10', AUTH_LOCKOUT_ENABLED: 'false' });
    const email = freshEmail();
    const attempts = await Promise.all(
      Array.from({ length: 10 }, (_, n) => signIn((n % 2 === 0 ? one : other).call, email)),
    );
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 401));
    expect([(await signIn(one.call, email)).status, (await signIn(other.call, email)).status]).toEqual([429, 429]);
  });

  it('failures count together, and a lockout holds at both, even for the right password', async () => {
    const [one, other] = await startWebs();
    const { email } = await registerPerson();
    for (let n = 0; n < 5; n++) {
      expect((await signIn((n % 2 === 0 ? one : other).call, email, 'wrong horse battery')).status).toBe(401);
    }
    expect([(await signIn(one.call, email)).status, (await signIn(other.call, email)).status]).toEqual([423, 423]);
    expect((await signIn(other.call, (await registerPerson()).email)).status).toBe(200);
  });

  it('a key that is revoked at one, and a role that is taken at one, have no effect at the other any more', async () => {
    const [one, other] = await startWebs();
    const { key, keyId, id, owner } = await makeTestProject();
    const send = () => other.call('POST', '/api/v1/events', { apiKey: key, body: { type: 'order.paid', data: {} } });
    expect((await send()).status).toBe(202);
    const path = `/api/v1/projects/${id}/api-keys`;
    expect((await one.call('DELETE', `${path}/${keyId}`, { bearer: owner.accessToken })).status).toBe(204);
    expect((await send()).json).toMatchObject({ status: 401, code: 'api_key_revoked' });

    const member = await registerMember(owner.organizationId, 'DEVELOPER');
    const make = () => other.call('POST', path, { bearer: member.accessToken, body: { name: 'mine' } });
    expect((await make()).status).toBe(201);
    await setRole(owner.organizationId, member, 'VIEWER');
    expect((await make()).status).toBe(403);
  });

  it('an idempotency key that comes to both at once stores one event', async () => {
    const [one, other] = await startWebs();
    const { key } = await makeTestProject();
    const headers = { 'Idempotency-Key': 'order-1' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? one : other).call<{ id: string }>('POST', '/api/v1/events', {
          ...{ apiKey: key, headers, body: { type: 'order.paid', data: { n: 1 } } },
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true')).toHaveLength(19);
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
