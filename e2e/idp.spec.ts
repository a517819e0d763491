import { decodeJwt, generateKeyPair } from 'jose';
import { callApi } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import { expectNoSecrets, START, useIdp } from './support/idp';
import { withClaims } from './support/provider';
import { signInAtProvider, Visitor } from './support/visitor';

// The tests run in order and change what the provider returns.
test.describe.configure({ mode: 'default' });

const idp = useIdp();
const { person, emailOf, goToCallback, signIn, refresh, enter, logIn, register, confirm } = idp;

test.afterAll(() => expectNoSecrets(idp.logFile));

test('a person signs up through the provider, returns to the requested page, and stays signed in', async ({ page }) => {
  const sub = person({ hd: 'mail.acme.co.uk' });
  await page.goto(`${idp.product.url}/login?returnTo=${encodeURIComponent('/account?from=login')}`);
  await page.getByRole('link', { name: 'Continue with Example ID' }).click();
  await page.getByRole('button', { name: `Continue as ${emailOf(sub)}` }).click();
  await expect(page).toHaveURL(`${idp.product.url}/account?from=login`);
  await expect(page.getByText(emailOf(sub)).first()).toBeVisible();
  await page.reload();
  await expect(page.getByText(emailOf(sub)).first()).toBeVisible();
  const kept = (await page.context().cookies(idp.product.url)).map(({ name }) => name);
  expect(kept.filter((name) => name.includes('idp'))).toEqual([]);
});

test('a person who cancels at the provider returns to the login page with a message', async ({ page }) => {
  person();
  await page.goto(`${idp.product.url}/login`);
  await page.getByRole('link', { name: 'Continue with Example ID' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(`${idp.product.url}/login?error=idp_denied`);
  await expect(page.getByRole('status').first()).toBeVisible();
});

test('a forged ID token, or an account that the provider has disabled, leaves a browser signed out', async ({
  page,
}) => {
  const { privateKey } = await generateKeyPair('RS256');
  const sub = person();
  const known = emailOf(sub);
  idp.provider.rewriteIdToken = async (token) => idp.provider.sign(decodeJwt(token), privateKey);
  await page.goto(`${idp.product.url}/login`);
  await page.getByRole('link', { name: 'Continue with Example ID' }).click();
  await page.getByRole('button', { name: `Continue as ${known}` }).click();
  await expect(page).toHaveURL(`${idp.product.url}/login?error=idp_failed`);
  await expect(page.getByRole('status').first()).toBeVisible();

  idp.provider.rewriteIdToken = undefined;
  const visitor = new Visitor();
  const start = (await visitor.go(`${idp.product.url}${START}`)).location;
  idp.provider.accounts.delete(sub);
  expect(await signInAtProvider(visitor, idp.provider, start, sub)).not.toContain('code=');
  await page.goto(`${idp.product.url}/account`);
  await expect(page).toHaveURL(/\/login\?/);
  expect(await page.context().cookies(idp.product.url)).not.toContainEqual(
    expect.objectContaining({ name: 'refresh_token' }),
  );
});

test('a first sign-in creates the account; the next one finds it, even with another name and address', async () => {
  const sub = person({ hd: 'acme.co.uk' });
  const first = await enter(sub);
  expect(first.user).toMatchObject({
    email: emailOf(sub),
    name: 'Ada Lovelace',
    emailVerified: true,
    hasPassword: false,
    timeZone: 'LOCAL',
  });
  expect(first.organization.name).toBe('Acme');
  idp.provider.accounts.set(sub, {
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
      expect(location).toBe(`${idp.product.url}${callback === earlier ? '/device' : '/'}`);
      expect((await refresh(visitor)).user.email).toBe(emailOf(ada));
    }
    expect([...visitor.cookiesOf(idp.product.url).keys()].filter((name) => name.includes('eds_idp'))).toEqual([]);
  });
}

test('the callback sets the refresh cookie like a login, and removes its own cookies', async () => {
  const visitor = new Visitor();
  const { cookies, headers } = await signIn(person(), visitor);
  expect(cookies.find((cookie) => cookie.startsWith('refresh_token='))).toMatch(
    /^refresh_token=[\w-]{43}; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict; Max-Age=86400$/,
  );
  expect([...visitor.cookiesOf(idp.product.url).keys()]).toEqual(
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
  await expect(callApi(idp.product.url, 'GET', '/auth/me', { token: hijacker.accessToken })).rejects.toThrow(/401/);
  await expect(logIn(emailOf(sub))).rejects.toThrow(/403.*password_unconfirmed/);
  // One email for the linking, and one for the refused sign-in, which replaces it.
  await confirm(emailOf(sub), /Confirm your password/, 2);
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
  idp.provider.rewriteIdToken = withClaims(idp.provider, {
    email: undefined,
    email_verified: undefined,
    name: undefined,
  });
  expect((await enter(sub)).user).toMatchObject({ email: emailOf(sub), name: 'Ada Lovelace' });
});

test('unusual claims are ignored', async () => {
  const odd = person({ name: `Ada\u0000${'x'.repeat(10_000)}`, hd: { acme: 'com' } });
  const { user, organization } = await enter(odd);
  expect(user.name).toBeNull();
  expect(organization.name).toBe(`${emailOf(odd).split('@')[0]} workspace`);
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
