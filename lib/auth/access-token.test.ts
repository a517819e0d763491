import { generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, type Clock } from '@/lib/platform/clock';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { setTestConfig } from '@/tests/setup/variables';
import { currentSigningKey, signAccessToken, type TokenSubject, verifyAccessToken } from './access-token';

const OLD_SECRET = 'o'.repeat(32);
const NEW_SECRET = 'n'.repeat(32);
const NOW = new Date('2026-01-31T09:30:00.000Z');
const at = (ms: number) => () => addMs(NOW, ms);
const now = at(0);
const subject = { userId: newId(), sessionId: newId(), organizationId: newId(), role: 'DEVELOPER' } as const;
const unauthenticated = { code: 'unauthenticated' };

const sign = async (of: TokenSubject, clock: Clock) => (await signAccessToken(of, clock)).token;

function useSecrets(secrets: string, overrides: Record<string, string> = {}): void {
  setTestConfig({ AUTH_SECRET: secrets, ...overrides });
  setOnce('signing-keys', undefined);
}

describe('an access token', () => {
  beforeEach(() => useSecrets(NEW_SECRET));

  it('carries user, session, organization, role, audience and expiry', async () => {
    const token = await sign(subject, now);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'EdDSA', kid: currentSigningKey().kid });
    expect(decodeJwt(token)).toEqual({
      iss: 'http://localhost:3000',
      aud: 'event-delivery-service',
      sub: subject.userId,
      sid: subject.sessionId,
      org: subject.organizationId,
      role: 'DEVELOPER',
      jti: expect.any(String),
      iat: NOW.getTime() / 1000,
      exp: NOW.getTime() / 1000 + 900,
    });
    expect(await verifyAccessToken(token, now)).toMatchObject({ sub: subject.userId, sid: subject.sessionId });
  });

  it('may belong to a person without an organization', async () => {
    const token = await sign({ ...subject, organizationId: null, role: null }, now);
    expect(await verifyAccessToken(token, now)).toMatchObject({ org: null, role: null });
  });

  it('expires no later than the token it was issued for', async () => {
    const nowSeconds = NOW.getTime() / 1000;
    const from = (notAfter: number) => signAccessToken(subject, now, notAfter);
    const sooner = await from(nowSeconds + 60);
    expect(sooner.expiresIn).toBe(60);
    expect(decodeJwt(sooner.token).exp).toBe(nowSeconds + 60);
    expect((await from(nowSeconds + 5_000)).expiresIn).toBe(900);
  });

  it('expires exactly on its second', async () => {
    const token = await sign(subject, now);
    await expect(verifyAccessToken(token, at(899_999))).resolves.toMatchObject({ sub: subject.userId });
    await expect(verifyAccessToken(token, at(900_000))).rejects.toMatchObject({ code: 'token_expired' });
  });

  it('signed with an older secret is accepted while that secret is listed; the first secret signs', async () => {
    useSecrets(OLD_SECRET);
    const old = await sign(subject, now);
    useSecrets(`${NEW_SECRET},${OLD_SECRET}`);
    await expect(verifyAccessToken(old, now)).resolves.toMatchObject({ sub: subject.userId });
    const fresh = await sign(subject, now);
    expect(decodeProtectedHeader(fresh).kid).not.toBe(decodeProtectedHeader(old).kid);
    useSecrets(NEW_SECRET);
    await expect(verifyAccessToken(fresh, now)).resolves.toMatchObject({ sub: subject.userId });
    await expect(verifyAccessToken(old, now)).rejects.toMatchObject(unauthenticated);
  });

  it('is signed with the same key by every process that has the secret', () => {
    const first = currentSigningKey();
    useSecrets(NEW_SECRET);
    expect(currentSigningKey().kid).toBe(first.kid);
    expect(currentSigningKey().privateKey.equals(first.privateKey)).toBe(true);
  });
});

describe('refuses', () => {
  beforeEach(() => useSecrets(NEW_SECRET));

  /** A token signed with the right key, with what a test changes. */
  const forge = (
    header: object,
    claims: object = {},
    key: Parameters<SignJWT['sign']>[0] = currentSigningKey().privateKey,
  ) => {
    const seconds = NOW.getTime() / 1000;
    const { userId, sessionId } = subject;
    const base = {
      iss: 'http://localhost:3000',
      aud: 'event-delivery-service',
      sub: userId,
      iat: seconds,
      exp: seconds + 900,
    };
    return new SignJWT({ ...base, sid: sessionId, jti: newId(), org: null, role: null, ...claims })
      .setProtectedHeader({ alg: 'EdDSA', kid: currentSigningKey().kid, ...header })
      .sign(key);
  };

  it('nothing when the forged token is unchanged, so that the other tests prove something', async () => {
    await expect(verifyAccessToken(await forge({}), now)).resolves.toMatchObject({ sub: subject.userId });
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'another-service' }],
    ['no session', { sid: undefined }],
    ['a session that is not an id', { sid: 'x' }],
    ['an unknown role', { role: 'SUPERUSER' }],
    ['no expiry', { exp: undefined }],
  ])('%s', async (_what, claims) => {
    await expect(verifyAccessToken(await forge({}, claims), now)).rejects.toMatchObject(unauthenticated);
  });

  it.each([
    ['a missing key id', { kid: undefined }],
    ['an unknown key id', { kid: 'other' }],
    ['a key id that is a path', { kid: '../../../dev/null' }],
    ['a key id that is SQL', { kid: "' OR 1=1 --" }],
    ['a key id that every object has', { kid: '__proto__' }],
    ['a critical header', { crit: ['exp'] }],
  ])('%s', async (_what, header) => {
    const token = await forge({});
    const { alg, kid } = decodeProtectedHeader(token);
    const changed = Buffer.from(JSON.stringify({ alg, kid, ...header })).toString('base64url');
    const signed = `${changed}.${token.split('.')[1]}`;
    const signature = signBytes(null, Buffer.from(signed), currentSigningKey().privateKey).toString('base64url');
    await expect(verifyAccessToken(`${signed}.${signature}`, now)).rejects.toMatchObject(unauthenticated);
  });

  it.each([
    ['its own', () => ({})],
    ['one that the token embeds', (jwk: object) => ({ jwk })],
    ['one at an address', () => ({ jku: 'https://evil.example/jwks.json', x5u: 'https://evil.example' })],
  ])('a signature with another key: %s', async (_what, header) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const token = await forge(header(publicKey.export({ format: 'jwk' })), {}, privateKey);
    await expect(verifyAccessToken(token, now)).rejects.toMatchObject(unauthenticated);
  });

  it('an HMAC made with the public key', async () => {
    const { x = '' } = currentSigningKey().publicKey.export({ format: 'jwk' });
    const token = await forge({ alg: 'HS256' }, {}, Buffer.from(x, 'base64url'));
    await expect(verifyAccessToken(token, now)).rejects.toMatchObject(unauthenticated);
  });

  it.each(['none', 'None', 'EdDSA'])('a token without a signature, with the algorithm %s', async (alg) => {
    const [, claims] = (await forge({})).split('.');
    const header = Buffer.from(JSON.stringify({ alg, kid: currentSigningKey().kid })).toString('base64url');
    await expect(verifyAccessToken(`${header}.${claims}.`, now)).rejects.toMatchObject(unauthenticated);
  });

  it('a changed claim', async () => {
    const [header, claims = '', signature] = (await forge({})).split('.');
    const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), role: 'OWNER' };
    const token = [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
    await expect(verifyAccessToken(token, now)).rejects.toMatchObject(unauthenticated);
  });

  it.each(['', 'x', 'a.b.c', '..', 'eds_notatoken'])('%j', async (token) => {
    await expect(verifyAccessToken(token, now)).rejects.toMatchObject(unauthenticated);
  });
});
