import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { generateKeyPair } from 'jose';
import { callApi, PASSWORD } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import { launchProduct, type Product } from './support/launch-product';
import { linkIn, waitForMail } from './support/mails';
import { type Claims, startProvider, type TestProvider, withClaims } from './support/provider';
import { signInAtProvider, Visitor } from './support/visitor';

const CLIENT = { id: 'event-delivery', secret: `secret-${randomUUID()}` };
const START = '/api/v1/auth/oauth/idp';

interface SignedIn {
  accessToken: string;
  user: { id: string; email: string; name: string | null; emailVerified: boolean; hasPassword: boolean };
  organization: { name: string };
}

// One product and one provider for all tests. The tests run in order and change what the provider returns.
test.describe.configure({ mode: 'default' });

let provider: TestProvider;
let product: Product;
const logFile = path.resolve('.build', `idp-${randomUUID()}.log`);

test.beforeAll(async () => {
  provider = await startProvider();
  product = await launchProduct(logFile, {
    IDP_OAUTH_CLIENT_ID: CLIENT.id,
    IDP_OAUTH_CLIENT_SECRET: CLIENT.secret,
    IDP_OAUTH_ISSUER: provider.issuer,
    IDP_OAUTH_NAME: 'Example ID',
    LOG_LEVEL: 'debug',
  });
  provider.register({ ...CLIENT, redirectUri: `${product.url}${START}/callback` });
});

test.afterAll(async () => {
  await product?.stop();
  await provider?.close();
});

test.afterEach(() => {
  provider.rewriteIdToken = undefined;
  provider.isDown = false;
});

/** Adds a person to the provider. Returns their subject. */
function person(claims: Claims = {}): string {
  const sub = randomUUID();
  provider.accounts.set(sub, { email: `p-${sub}@example.com`, email_verified: true, name: 'Ada Lovelace', ...claims });
  return sub;
}

const emailOf = (sub: string) => String(provider.accounts.get(sub)?.email);

/** Signs in at the provider. Returns the URL of the callback, not yet visited. */
async function goToCallback(visitor: Visitor, sub: string, query = ''): Promise<string> {
  const { location } = await visitor.go(`${product.url}${START}${query}`);
  return signInAtProvider(visitor, provider, location, sub);
}

/** Signs in over HTTP. Returns the last response and its path. */
async function signIn(sub: string, visitor = new Visitor(), query = '') {
  const end = await visitor.go(await goToCallback(visitor, sub, query));
  return { ...end, place: end.location?.replace(product.url, '') };
}

/** Refreshes the session, as the dashboard does first. */
async function refresh(visitor: Visitor): Promise<SignedIn> {
  const cookie = visitor.cookiesOf(product.url).get('refresh_token') ?? '';
  const response = await fetchChecked(`${product.url}/api/v1/auth/refresh`, {
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

const logIn = (email: string) =>
  callApi<SignedIn>(product.url, 'POST', '/auth/login', { body: { email, password: PASSWORD } });
const register = (email: string) =>
  callApi<SignedIn>(product.url, 'POST', '/auth/register', { body: { email, password: PASSWORD } });

/** Confirms with the link of the newest email with this subject, after `count` of them have arrived. */
async function confirm(email: string, subject: RegExp, count = 1): Promise<void> {
  const link = new URL(linkIn(await waitForMail(email, subject, product.dataDir, count)));
  await callApi(product.url, 'POST', '/auth/verify-email', { body: { token: link.searchParams.get('token') } });
}

test('a person signs up through the provider, returns to the requested page, and stays signed in', async ({ page }) => {
  const sub = person({ hd: 'mail.acme.co.uk' });
  await page.goto(`${product.url}/login?returnTo=${encodeURIComponent('/account?from=login')}`);
  await page.getByRole('link', { name: 'Continue with Example ID' }).click();
  await page.getByRole('button', { name: `Continue as ${emailOf(sub)}` }).click();
  await expect(page).toHaveURL(`${product.url}/account?from=login`);
  await expect(page.getByText(emailOf(sub)).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText(emailOf(sub)).first()).toBeVisible();
  const kept = (await page.context().cookies(product.url)).map(({ name }) => name);
  expect(kept.filter((name) => name.includes('idp'))).toEqual([]);
});

test('a person who cancels at the provider returns to the login page with a message', async ({ page }) => {
  person();
  await page.goto(`${product.url}/login`);
  await page.getByRole('link', { name: 'Continue with Example ID' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(`${product.url}/login?error=idp_denied`);
  await expect(page.getByRole('status').first()).toBeVisible();
});

test('a first sign-in creates the account; the next one finds it, even with another name and address', async () => {
  const sub = person({ hd: 'acme.co.uk' });
  const first = await enter(sub);
  expect(first.user).toMatchObject({
    email: emailOf(sub),
    name: 'Ada Lovelace',
    emailVerified: true,
    hasPassword: false,
  });
  expect(first.organization.name).toBe('Acme');
  provider.accounts.set(sub, {
    email: `moved-${sub}@example.com`,
    email_verified: true,
    name: 'Countess',
    hd: 'other.com',
  });
  const second = await enter(sub);
  expect(second.user).toEqual(first.user);
  expect(second.organization).toEqual(first.organization);
});

test('six simultaneous sign-ins create one account', async () => {
  const sub = person();
  const users = await Promise.all(Array.from({ length: 6 }, async () => (await enter(sub)).user.id));
  expect(new Set(users).size).toBe(1);
});

for (const order of ['earlier', 'later'] as const) {
  test(`two tabs of one browser both sign in, the ${order} one first`, async () => {
    const visitor = new Visitor();
    const ada = person();
    const [earlier, later] = [await goToCallback(visitor, ada, '?returnTo=/device'), await goToCallback(visitor, ada)];
    const callbacks = order === 'earlier' ? [earlier, later] : [later, earlier];
    for (const callback of callbacks) {
      const { status, location } = await visitor.go(callback);
      expect(status).toBe(302);
      expect(location).toBe(`${product.url}${callback === earlier ? '/device' : '/'}`);
      expect((await refresh(visitor)).user.email).toBe(emailOf(ada));
    }
    expect([...visitor.cookiesOf(product.url).keys()].filter((name) => name.includes('eds_idp'))).toEqual([]);
  });
}

test('the callback sets the refresh cookie like a login, and removes its own cookies', async () => {
  const visitor = new Visitor();
  const { cookies, headers } = await signIn(person(), visitor);
  expect(cookies.find((cookie) => cookie.startsWith('refresh_token='))).toMatch(
    /^refresh_token=[\w-]{43}; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict; Max-Age=86400$/,
  );
  expect([...visitor.cookiesOf(product.url).keys()]).toEqual(
    expect.not.arrayContaining([expect.stringContaining('idp')]),
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

test('a person with a confirmed address links the provider and keeps the password', async () => {
  const sub = person();
  const local = await register(emailOf(sub));
  await confirm(emailOf(sub), /Confirm your email address/);
  expect((await enter(sub)).user.id).toBe(local.user.id);
  expect((await logIn(emailOf(sub))).user.id).toBe(local.user.id);
});

test('an account registered with another person’s address is taken over by its owner through the provider', async () => {
  const sub = person();
  const hijacker = await register(emailOf(sub));
  expect((await enter(sub)).user.id).toBe(hijacker.user.id);
  await expect(callApi(product.url, 'GET', '/auth/me', { token: hijacker.accessToken })).rejects.toThrow(/401/);
  await expect(logIn(emailOf(sub))).rejects.toThrow(/403.*password_unconfirmed/);
  // One email for the linking, and one for the refused sign-in, which replaces it.
  await confirm(emailOf(sub), /Confirm the password/, 2);
  expect((await logIn(emailOf(sub))).user.id).toBe(hijacker.user.id);
});

test('another account of the provider with the address of a linked one is a conflict', async () => {
  const sub = person();
  await enter(sub);
  expect((await signIn(person({ email: emailOf(sub) }))).place).toBe('/login?error=idp_conflict');
});

for (const email_verified of [false, undefined, 'true']) {
  test(`an address with email_verified ${JSON.stringify(email_verified)} neither registers nor links`, async () => {
    const sub = person({ email_verified });
    const local = await register(emailOf(sub));
    expect((await signIn(sub)).place).toBe('/login?error=idp_email_unverified');
    expect((await signIn(person({ email_verified }))).place).toBe('/login?error=idp_email_unverified');
    expect((await logIn(emailOf(sub))).user.id).toBe(local.user.id);
  });
}

test('an address is read from the userinfo endpoint when the ID token has none', async () => {
  const sub = person();
  provider.rewriteIdToken = withClaims(provider, { email: undefined, email_verified: undefined, name: undefined });
  expect((await enter(sub)).user).toMatchObject({ email: emailOf(sub), name: 'Ada Lovelace' });
});

test('unusual claims are ignored', async () => {
  const odd = person({ name: `Ada\u0000${'x'.repeat(10_000)}`, hd: { acme: 'com' } });
  const { user, organization } = await enter(odd);
  expect(user.name).toBeNull();
  expect(organization.name).toBe(`${emailOf(odd).split('@')[0]} workspace`);
});

const DAY_SECONDS = 24 * 60 * 60;
const now = () => Math.floor(Date.now() / 1000);
const WRONG: [what: string, claims: () => Claims][] = [
  ['another nonce', () => ({ nonce: 'other' })],
  ['no nonce', () => ({ nonce: undefined })],
  ['another issuer', () => ({ iss: 'https://accounts.google.com' })],
  ['another audience', () => ({ aud: 'another-client' })],
  ['a time that has passed', () => ({ iat: now() - DAY_SECONDS, exp: now() - 60 })],
  ['no subject', () => ({ sub: undefined })],
  ['a subject of 10,000 characters', () => ({ sub: 'x'.repeat(10_000) })],
];

for (const [what, claims] of WRONG) {
  test(`an ID token with ${what} is refused`, async () => {
    const visitor = new Visitor();
    provider.rewriteIdToken = (token) => withClaims(provider, claims())(token);
    expect((await signIn(person(), visitor)).place).toBe('/login?error=idp_failed');
    expect([...visitor.cookiesOf(product.url).keys()]).toEqual([]);
  });
}

test('an ID token with a foreign signature, or none, is refused', async () => {
  const { privateKey } = await generateKeyPair('RS256');
  const payload = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  provider.rewriteIdToken = (token) => provider.sign(payload(token), privateKey);
  expect((await signIn(person())).place).toBe('/login?error=idp_failed');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  provider.rewriteIdToken = async (token) => `${none}.${token.split('.')[1]}.`;
  expect((await signIn(person())).place).toBe('/login?error=idp_failed');
});

test('a callback with a wrong state, no state, or another issuer is refused', async () => {
  for (const change of [{ state: 'other' }, { state: '' }, { iss: 'https://accounts.google.com' }]) {
    const visitor = new Visitor();
    const back = new URL(await goToCallback(visitor, person()));
    for (const [name, value] of Object.entries(change)) back.searchParams.set(name, value);
    expect((await visitor.go(back.href)).location).toBe(`${product.url}/login?error=idp_failed`);
    // A callback for another sign-in does not end this one.
    expect(visitor.cookiesOf(product.url).size).toBe('state' in change ? 4 : 0);
  }
});

test('a code is refused in another browser, and still works in its own', async () => {
  const [own, other] = [new Visitor(), new Visitor()];
  const back = await goToCallback(own, person());
  await goToCallback(other, person());
  expect((await other.go(back)).location).toBe(`${product.url}/login?error=idp_failed`);
  expect((await new Visitor().go(back)).location).toBe(`${product.url}/login?error=idp_failed`);
  expect((await own.go(back)).location).toBe(`${product.url}/`);
});

test('a code works once, even if the browser keeps its cookies', async () => {
  const visitor = new Visitor();
  const back = await goToCallback(visitor, person());
  const jar = visitor.cookiesOf(product.url);
  const kept = new Map(jar);
  expect((await visitor.go(back)).location).toBe(`${product.url}/`);
  expect((await visitor.go(back)).location).toBe(`${product.url}/login?error=idp_failed`);
  for (const [name, value] of kept) jar.set(name, value);
  expect((await visitor.go(back)).location).toBe(`${product.url}/login?error=idp_failed`);
});

test('an ID token in the query does not replace a code', async () => {
  const visitor = new Visitor();
  const sub = person();
  const back = new URL(await goToCallback(visitor, sub));
  const claims = { iss: provider.issuer, sub, aud: CLIENT.id, email: emailOf(sub), email_verified: true, iat: now() };
  back.searchParams.set('id_token', await provider.sign({ ...claims, exp: now() + 60 }));
  back.searchParams.delete('code');
  expect((await visitor.go(back.href)).location).toBe(`${product.url}/login?error=idp_failed`);
});

test('extra parameters at the start or the callback change nothing', async () => {
  const visitor = new Visitor();
  const injected = 'callbackUrl=https://evil.example/&redirect_uri=https://evil.example/&scope=openid+drive&json=true';
  const back = await goToCallback(visitor, person(), `?returnTo=/account&${injected}`);
  expect(back).toContain(`${product.url}${START}/callback?code=`);
  const end = await visitor.go(`${back}&${injected}&nextauth=signout&csrfToken=1`);
  expect([end.status, end.location]).toEqual([302, `${product.url}/account`]);
});

test('a sign-in never leads to another site', async () => {
  for (const returnTo of ['//evil.example', '/\\evil.example', 'https://evil.example/', '/\t/evil.example', 'evil']) {
    const { place } = await signIn(person(), new Visitor(), `?${new URLSearchParams({ returnTo })}`);
    expect(place).toBe('/');
  }
});

test('a provider that fails during a sign-in leads to the login page', async () => {
  const visitor = new Visitor();
  const sub = person();
  const back = await goToCallback(visitor, sub);
  provider.isDown = true;
  expect((await visitor.go(back)).location).toBe(`${product.url}/login?error=idp_failed`);
  expect((await fetchChecked(`${product.url}/api/health/ready`)).status).toBe(200);
  provider.isDown = false;
  expect((await signIn(sub)).place).toBe('/');
});

test('the log contains no address, name, code, token or secret', () => {
  const log = fs.readFileSync(logFile, 'utf8');
  expect(log).toContain('nonce mismatch');
  for (const secret of [CLIENT.secret, '@example.com', 'Ada Lovelace', 'eyJ', 'code=', 'state=']) {
    expect(log).not.toContain(secret);
  }
});

test('without an OAuth client there is no button, no provider, and 404 at its paths', async ({ page, baseURL }) => {
  const get = (path: string) => fetchChecked(`${baseURL}${path}`, { redirect: 'manual' });
  expect(await (await get('/api/v1/auth/providers')).json()).toEqual({ data: [] });
  for (const place of [START, `${START}/callback?code=1&state=2`]) {
    expect((await get(place)).status).toBe(404);
  }
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(page.getByText('Continue with')).toHaveCount(0);
});
