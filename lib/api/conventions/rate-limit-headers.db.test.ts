import { beforeEach, describe, expect, it } from 'vitest';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startDevice } from '@/tests/fixtures/device-codes';
import { invite } from '@/tests/fixtures/members';
import { ADMIN_TOKEN } from '@/tests/fixtures/operator';
import { asPerson, freshEmail, PASSWORD, registerMember, registerPerson } from '@/tests/fixtures/people';
import { useProjects } from '@/tests/fixtures/projects';
import { retryAfterOf, tryLogin } from '@/tests/fixtures/sign-in-limits';
import { useAdapters } from '@/tests/http/adapters';
import { call, type TestResponse } from '@/tests/http/api-request';

useDatabase({
  AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: '8',
  AUTH_RATE_LIMIT_REGISTER_PER_MINUTE: '1000',
  AUTH_LOCKOUT_ENABLED: 'true',
  PROJECT_ENDPOINT_TESTS_PER_MINUTE: '2',
  PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN,
});

const projects = useProjects();

beforeEach(() => run('TRUNCATE rate_limits, login_lockouts'));

const LOGIN = '/api/v1/auth/login';
const policiesOf = ({ headers }: TestResponse<unknown>) => headers['ratelimit-policy'];

/** Returns the remaining requests by limit, and checks the seconds until each limit resets. */
function leftOf({ headers }: TestResponse<unknown>): Record<string, number> {
  const items = (headers.ratelimit ?? '').split(', ').map((item) => /^"([a-z-]+)";r=(\d+);t=(\d+)$/.exec(item));
  return Object.fromEntries(
    items.map((item) => {
      const [, name = 'unreadable', left, reset] = item ?? [];
      const window = Number(new RegExp(`"${name}";q=\\d+;w=(\\d+)`).exec(headers['ratelimit-policy'] ?? '')?.[1]);
      expect(Number(reset)).toBeGreaterThan(window - 30);
      expect(Number(reset)).toBeLessThanOrEqual(window);
      return [name, Number(left)];
    }),
  );
}

function expectNone({ headers }: TestResponse<unknown>): void {
  expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual([undefined, undefined]);
}

describe('a response after a rate limit was checked', () => {
  const logIn = (email: string, password: string) => call('POST', LOGIN, { body: { email, password } });

  it('shows the remaining requests when it succeeds, fails or is rate limited', async () => {
    const { email } = await registerPerson();
    const seen = [];
    for (const password of [PASSWORD, 'a wrong one', ...Array(6).fill(PASSWORD)]) {
      const response = await logIn(email, password);
      expect(policiesOf(response)).toBe('"login-ip";q=8;w=60');
      seen.push([response.status, leftOf(response)['login-ip']]);
    }
    expect(seen).toEqual([
      [200, 7],
      [401, 6],
      [200, 5],
      [200, 4],
      [200, 3],
      [200, 2],
      [200, 1],
      [200, 0],
    ]);
    const refused = await logIn(email, PASSWORD);
    expect([refused.status, leftOf(refused)]).toEqual([429, { 'login-ip': 0 }]);
    const [, resetSeconds] = /t=(\d+)$/.exec(refused.headers.ratelimit ?? '') ?? [];
    expect(retryAfterOf(refused)).toBeGreaterThanOrEqual(Number(resetSeconds));
  });

  it('does not show how often others tried an address, unless that limit refuses the request', async () => {
    const email = freshEmail();
    for (let tries = 0; tries < 8; tries++) await tryLogin(email, 'a wrong one', '203.0.113.66');
    expect(policiesOf(await tryLogin(freshEmail(), 'a wrong one', '203.0.113.67'))).toBe('"login-ip";q=8;w=60');
    const refused = await tryLogin(email, 'a wrong one', '203.0.113.67');
    expect([refused.status, leftOf(refused)]).toEqual([429, { 'login-address': 0 }]);
  });

  it('is the same for an address with and without an account, even when it is locked', async () => {
    const seen: [status: number, ...rest: unknown[]][][] = [];
    for (const email of [(await registerPerson()).email, freshEmail()]) {
      await run('TRUNCATE rate_limits');
      const responses: (typeof seen)[number] = [];
      for (let tries = 0; tries < 9; tries++) {
        const response = await logIn(email, 'a wrong one');
        responses.push([response.status, policiesOf(response), leftOf(response)]);
      }
      seen.push(responses);
    }
    expect(seen[0]?.map(([status]) => status)).toEqual(expect.arrayContaining([401, 423, 429]));
    expect(seen[1]).toEqual(seen[0]);
  });

  it('does not show how many reset links others requested for the address', async () => {
    const known = (await registerPerson()).email;
    const unknown = freshEmail();
    const ask = (email: string) => call('POST', '/api/v1/auth/forgot-password', { body: { email } });
    for (let tries = 0; tries < 7; tries++) {
      for (const email of [known, unknown]) {
        const response = await ask(email);
        expect([response.status, policiesOf(response)]).toEqual([202, '"forgot-password-ip";q=60;w=60']);
      }
    }
    expect(leftOf(await ask(known))).toEqual({ 'forgot-password-ip': 45 });
  });

  it('counts only wrong device codes', async () => {
    const { accessToken: bearer } = await registerPerson();
    const look = (userCode: string) => call('GET', `/api/v1/auth/device?userCode=${userCode}`, { bearer });
    const { userCode } = await startDevice();
    const wrong = await look('BBBB-BBBB');
    expect([wrong.status, leftOf(wrong)]).toEqual([404, { 'device-guess': 9 }]);
    expect(policiesOf(wrong)).toBe('"device-guess";q=10;w=600, "device-guess-ip";q=50;w=600');
    for (let looks = 0; looks < 2; looks++) {
      const right = await look(userCode);
      expect([right.status, leftOf(right)]).toEqual([200, { 'device-guess': 9 }]);
    }
    const started = await call('POST', '/api/v1/auth/device/code');
    expect([started.status, policiesOf(started)]).toEqual([200, '"device-start";q=120;w=600']);
  });

  it('shows the limits of the person and the organization for an invitation; that of the address only when it refuses', async () => {
    const owner = await registerPerson();
    const email = freshEmail();
    const inviteTo = (to: string) =>
      call('POST', `/api/v1/orgs/${owner.organizationId}/invitations`, {
        bearer: owner.accessToken,
        body: { email: to, role: 'VIEWER' },
      });
    const policies = '"invitation-person";q=100;w=86400, "invitation-organization";q=50;w=86400';
    const other = await registerPerson();
    await invite(other, other.organizationId, email, 'VIEWER');
    const made = await inviteTo(email);
    expect([made.status, policiesOf(made), leftOf(made)]).toEqual([201, policies, { 'invitation-organization': 49 }]);
    const member = await registerMember(owner.organizationId, 'VIEWER');
    const conflict = await inviteTo(member.email);
    expect([conflict.status, leftOf(conflict)]).toEqual([409, { 'invitation-organization': 49 }]);
    for (let tries = 0; tries < 4; tries++) expect(policiesOf(await inviteTo(email))).toBe(policies);
    const refused = await inviteTo(email);
    expect([refused.status, policiesOf(refused), leftOf(refused)]).toEqual([
      429,
      `${policies}, "invitation-address";q=5;w=86400`,
      { 'invitation-address': 0 },
    ]);
  });

  it('shows the remaining guesses for a wrong operator token, and nothing to the operator', async () => {
    const ask = (token: string, method = 'GET') =>
      call(method, '/api/v1/admin/stats', { headers: { 'x-platform-admin-token': token } });
    const wrong = await ask('wrong');
    expect([wrong.status, policiesOf(wrong), leftOf(wrong)]).toEqual([
      401,
      '"operator-ip";q=20;w=60',
      { 'operator-ip': 19 },
    ]);
    expect(leftOf(await ask('wrong'))).toEqual({ 'operator-ip': 19 });
    expect(leftOf(await ask('another', 'PUT'))).toEqual({ 'operator-ip': 18 });
    expectNone(await ask(ADMIN_TOKEN));
  });
});

describe.each(useAdapters())('a response without a checked rate limit, %s', (_name, call) => {
  it('has no rate limit headers', async () => {
    const { owner, key } = projects.mine;
    expectNone(await call('GET', '/api/v1/auth/me', asPerson(owner)));
    expectNone(await call('POST', '/api/v1/events', { apiKey: key, body: { type: 'a', data: {} } }));
    expectNone(await call('GET', '/api/health/live'));
    expectNone(await call('GET', '/api/v1/nothing'));
    expectNone(await call('PUT', LOGIN));
    expectNone(await call('POST', LOGIN, { body: {} }));
    expectNone(await call('POST', '/api/v1/auth/device/token', { body: { deviceCode: 'unknown' } }));
  });
});
