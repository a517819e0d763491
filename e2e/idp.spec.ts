import fs from 'node:fs';
import { decodeJwt, generateKeyPair } from 'jose';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import { CLIENT, expectNoSecrets, START, useIdp } from './support/idp';
import { type Claims, withClaims } from './support/provider';
import { Visitor } from './support/visitor';

// The tests run in order and change what the provider returns.
test.describe.configure({ mode: 'default' });

const idp = useIdp();
const { person, emailOf, goToCallback, signIn, refresh, enter } = idp;

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

for (const order of ['earlier', 'later'] as const) {
  test(`two tabs of one browser both sign in, the ${order} one first`, async () => {
    const visitor = new Visitor();
    const ada = person();
    const earlier = await goToCallback(visitor, ada, '?returnTo=/device');
    const later = await goToCallback(visitor, ada);
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

test('an address is read from the userinfo endpoint when the ID token has none', async () => {
  const sub = person();
  idp.provider.rewriteIdToken = withClaims(idp.provider, {
    email: undefined,
    email_verified: undefined,
    name: undefined,
  });
  expect((await enter(sub)).user).toMatchObject({ email: emailOf(sub), name: 'Ada Lovelace' });
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

test('an ID token with a wrong claim is refused', async () => {
  for (const [what, claims] of WRONG) {
    const visitor = new Visitor();
    idp.provider.rewriteIdToken = withClaims(idp.provider, claims());
    expect((await signIn(person(), visitor)).place, what).toBe('/login?error=idp_failed');
    expect([...visitor.cookiesOf(idp.product.url).keys()], what).toEqual([]);
  }
});

test('an ID token with a foreign signature, or none, is refused', async () => {
  const { privateKey } = await generateKeyPair('RS256');
  idp.provider.rewriteIdToken = async (token) => idp.provider.sign(decodeJwt(token), privateKey);
  expect((await signIn(person())).place).toBe('/login?error=idp_failed');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  idp.provider.rewriteIdToken = async (token) => `${none}.${token.split('.')[1]}.`;
  expect((await signIn(person())).place).toBe('/login?error=idp_failed');
});

test('a callback with a wrong state, no state, or another issuer is refused', async () => {
  for (const change of [{ state: 'other' }, { state: '' }, { iss: 'https://accounts.google.com' }]) {
    const visitor = new Visitor();
    const back = new URL(await goToCallback(visitor, person()));
    for (const [name, value] of Object.entries(change)) back.searchParams.set(name, value);
    expect((await visitor.go(back.href)).location).toBe(`${idp.product.url}/login?error=idp_failed`);
    // A callback for another sign-in does not end this one.
    expect(visitor.cookiesOf(idp.product.url).size).toBe('state' in change ? 4 : 0);
  }
});

test('a code is refused in another browser, and still works in its own', async () => {
  const own = new Visitor();
  const other = new Visitor();
  const back = await goToCallback(own, person());
  await goToCallback(other, person());
  expect((await other.go(back)).location).toBe(`${idp.product.url}/login?error=idp_failed`);
  expect((await new Visitor().go(back)).location).toBe(`${idp.product.url}/login?error=idp_failed`);
  expect((await own.go(back)).location).toBe(`${idp.product.url}/`);
});

test('a code works once, even if the browser keeps its cookies', async () => {
  const visitor = new Visitor();
  const back = await goToCallback(visitor, person());
  const jar = visitor.cookiesOf(idp.product.url);
  const kept = new Map(jar);
  expect((await visitor.go(back)).location).toBe(`${idp.product.url}/`);
  expect((await visitor.go(back)).location).toBe(`${idp.product.url}/login?error=idp_failed`);
  for (const [name, value] of kept) jar.set(name, value);
  expect((await visitor.go(back)).location).toBe(`${idp.product.url}/login?error=idp_failed`);
});

test('an ID token in the query does not replace a code', async () => {
  const visitor = new Visitor();
  const sub = person();
  const back = new URL(await goToCallback(visitor, sub));
  const claims = {
    iss: idp.provider.issuer,
    sub,
    aud: CLIENT.id,
    email: emailOf(sub),
    email_verified: true,
    iat: now(),
  };
  back.searchParams.set('id_token', await idp.provider.sign({ ...claims, exp: now() + 60 }));
  back.searchParams.delete('code');
  expect((await visitor.go(back.href)).location).toBe(`${idp.product.url}/login?error=idp_failed`);
});

test('extra parameters at the start or the callback change nothing', async () => {
  const visitor = new Visitor();
  const injected = 'callbackUrl=https://evil.example/&redirect_uri=https://evil.example/&scope=openid+drive&json=true';
  const back = await goToCallback(visitor, person(), `?returnTo=/account&${injected}`);
  expect(back).toContain(`${idp.product.url}${START}/callback?code=`);
  const end = await visitor.go(`${back}&${injected}&nextauth=signout&csrfToken=1`);
  expect([end.status, end.location]).toEqual([302, `${idp.product.url}/account`]);
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
  idp.provider.isDown = true;
  expect((await visitor.go(back)).location).toBe(`${idp.product.url}/login?error=idp_failed`);
  expect((await fetchChecked(`${idp.product.url}/api/health/ready`)).status).toBe(200);
  idp.provider.isDown = false;
  expect((await signIn(sub)).place).toBe('/');
});

test('the log contains no address, name, code, token or secret', () => {
  expect(fs.readFileSync(idp.logFile, 'utf8')).toContain('nonce mismatch');
  expectNoSecrets(idp.logFile);
});
