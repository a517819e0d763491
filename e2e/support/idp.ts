import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { fetchChecked } from './check-response';
import { launchProduct, type Product } from './launch-product';
import { type Claims, startProvider, type TestProvider } from './provider';
import { signInAtProvider, Visitor } from './visitor';

/** How the product identifies itself at the provider. */
export const CLIENT = { id: 'event-delivery', secret: `secret-${randomUUID()}` };
/** The path that starts a sign-in. */
export const START = '/api/v1/auth/oauth/idp';

interface SignedIn {
  accessToken: string;
  user: { id: string; email: string; name: string | null; emailVerified: boolean; hasPassword: boolean };
  organization: { name: string };
}

/** Fails when a log contains an address, a name, a code, a token or a secret. */
export function expectNoSecrets(logFile: string): void {
  const log = fs.readFileSync(logFile, 'utf8');
  for (const secret of [CLIENT.secret, '@example.com', 'Ada Lovelace', 'eyJ', 'code=', 'state=']) {
    expect(log).not.toContain(secret);
  }
}

/** Starts one provider and one product that trusts it, for all tests of a file. They are complete when the tests run. */
export function useIdp() {
  const logFile = path.resolve('.build', `idp-${randomUUID()}.log`);
  const running = {} as { provider: TestProvider; product: Product };

  test.beforeAll(async () => {
    running.provider = await startProvider();
    running.product = await launchProduct(logFile, {
      IDP_OAUTH_CLIENT_ID: CLIENT.id,
      IDP_OAUTH_CLIENT_SECRET: CLIENT.secret,
      IDP_OAUTH_ISSUER: running.provider.issuer,
      IDP_OAUTH_NAME: 'Example ID',
      LOG_LEVEL: 'debug',
    });
    running.provider.register({ ...CLIENT, redirectUri: `${running.product.url}${START}/callback` });
  });

  test.afterAll(async () => {
    await running.product?.stop();
    await running.provider?.close();
  });

  test.afterEach(() => {
    running.provider.rewriteIdToken = undefined;
    running.provider.isDown = false;
  });

  /** Adds a person to the provider. Returns their subject. */
  function person(claims: Claims = {}): string {
    const sub = randomUUID();
    const known = { email: `p-${sub}@example.com`, email_verified: true, name: 'Ada Lovelace' };
    running.provider.accounts.set(sub, { ...known, ...claims });
    return sub;
  }

  const emailOf = (sub: string) => String(running.provider.accounts.get(sub)?.email);

  /** Signs in at the provider. Returns the URL of the callback, not yet visited. */
  async function goToCallback(visitor: Visitor, sub: string, query = ''): Promise<string> {
    const { location } = await visitor.go(`${running.product.url}${START}${query}`);
    return signInAtProvider(visitor, running.provider, location, sub);
  }

  /** Signs in over HTTP. Returns the last response and its path. */
  async function signIn(sub: string, visitor = new Visitor(), query = '') {
    const end = await visitor.go(await goToCallback(visitor, sub, query));
    return { ...end, place: end.location?.replace(running.product.url, '') };
  }

  /** Refreshes the session, as the dashboard does first. */
  async function refresh(visitor: Visitor): Promise<SignedIn> {
    const cookie = visitor.cookiesOf(running.product.url).get('refresh_token') ?? '';
    const response = await fetchChecked(`${running.product.url}/api/v1/auth/refresh`, {
      method: 'POST',
      headers: { Cookie: `refresh_token=${cookie}` },
    });
    expect(response.status).toBe(200);
    return (await response.json()) as SignedIn;
  }

  async function enter(sub: string): Promise<SignedIn> {
    const visitor = new Visitor();
    expect(await signIn(sub, visitor)).toMatchObject({ status: 302, place: '/' });
    return refresh(visitor);
  }

  return Object.assign(running, { logFile, person, emailOf, goToCallback, signIn, refresh, enter });
}
