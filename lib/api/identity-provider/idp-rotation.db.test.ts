import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProvider, type TestProvider } from '@/e2e/support/provider';
import { signInAtProvider, Visitor } from '@/e2e/support/visitor';
import { setOnce } from '@/lib/platform/globals';
import { useDatabase } from '@/tests/database/use-database';
import { call } from '@/tests/http/api-request';
import { setTestConfig } from '@/tests/setup/variables';

const database = useDatabase();
const BASE_URL = 'http://localhost:3000';
const [OLD_SECRET = '', NEW_SECRET = ''] = [32, 32].map((bytes) => randomBytes(bytes).toString('hex'));

let provider: TestProvider;

function configure(secrets: string[]): void {
  setTestConfig({
    DATABASE_URL: database.url,
    AUTH_SECRET: secrets.join(','),
    IDP_OAUTH_CLIENT_ID: 'client-1',
    IDP_OAUTH_CLIENT_SECRET: 's3cret',
    IDP_OAUTH_ISSUER: provider.issuer,
  });
  setOnce('signing-keys', undefined);
}

beforeAll(async () => {
  provider = await startProvider();
  const redirectUri = `${BASE_URL}/api/v1/auth/oauth/idp/callback`;
  provider.register({ id: 'client-1', secret: 's3cret', redirectUri });
});

afterAll(() => provider.close());

/** Begins a provider sign-in with some secrets, completes it with others, and returns where it leads. */
async function signInAcross(before: string[], after: string[]): Promise<string | undefined> {
  const sub = randomUUID();
  provider.accounts.set(sub, { email: `${sub}@example.com`, email_verified: true });
  configure(before);
  const start = await call('GET', '/api/v1/auth/oauth/idp');
  const back = new URL(await signInAtProvider(new Visitor(), provider, start.headers.location ?? '', sub));
  configure(after);
  const cookie = start.cookies.map((value) => value.split(';')[0]).join('; ');
  return (await call('GET', back.pathname + back.search, { cookie })).headers.location;
}

describe('a provider sign-in during a rotation of AUTH_SECRET', () => {
  it('succeeds when a new first secret was added meanwhile', async () => {
    expect(await signInAcross([OLD_SECRET], [NEW_SECRET, OLD_SECRET])).toBe(`${BASE_URL}/`);
  });

  it('succeeds at a process that does not have the new first secret yet', async () => {
    expect(await signInAcross([OLD_SECRET, NEW_SECRET], [NEW_SECRET, OLD_SECRET])).toBe(`${BASE_URL}/`);
  });

  it('is refused when the secret that sealed its checks was removed', async () => {
    expect(await signInAcross([OLD_SECRET], [NEW_SECRET])).toBe(`${BASE_URL}/login?error=idp_failed`);
  });
});
