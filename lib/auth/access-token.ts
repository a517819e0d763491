import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import { ROLES, type Role } from '@/lib/audit/types';
import type { Clock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { Id, newId } from '@/lib/platform/ids';

const ALGORITHM = 'EdDSA';
const AUDIENCE = 'event-delivery-service';

/**
 * The user, session, organization and role an access token is for. The role is a hint: every request reads the live
 * role.
 */
export interface TokenSubject {
  userId: string;
  sessionId: string;
  organizationId: string | null;
  role: Role | null;
}

const Claims = z.object({
  sub: Id,
  sid: Id,
  jti: Id,
  iat: z.number(),
  exp: z.number(),
  org: Id.nullable(),
  role: z.enum(ROLES).nullable(),
});
type AccessTokenClaims = z.infer<typeof Claims>;

/** An access token, and the seconds until it expires. */
interface IssuedAccessToken {
  token: string;
  expiresIn: number;
}

/**
 * Signs an access token that lives for AUTH_ACCESS_TOKEN_SECONDS, or until `notAfter` if that is sooner: a token
 * issued in exchange for another must not outlive it.
 *
 * @param notAfter in seconds since 1970
 */
export async function signAccessToken(
  subject: TokenSubject,
  clock: Clock,
  notAfter = Number.POSITIVE_INFINITY,
): Promise<IssuedAccessToken> {
  const { kid, privateKey } = currentSigningKey();
  const issuedAt = Math.floor(clock().getTime() / 1000);
  const expiresAt = Math.min(issuedAt + config().AUTH_ACCESS_TOKEN_SECONDS, notAfter);
  const token = await new SignJWT({ sid: subject.sessionId, org: subject.organizationId, role: subject.role })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
    .setIssuer(config().baseUrl)
    .setAudience(AUDIENCE)
    .setSubject(subject.userId)
    .setJti(newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
  return { token, expiresIn: expiresAt - issuedAt };
}

/**
 * Checks signature, algorithm, issuer, audience and expiry, and returns the claims. Doesn't check the session.
 * @throws AppError token_expired; unauthenticated for every other fault
 */
export async function verifyAccessToken(token: string, clock: Clock): Promise<AccessTokenClaims> {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => verifyingKey(kid), {
      algorithms: [ALGORITHM],
      issuer: config().baseUrl,
      audience: AUDIENCE,
      currentDate: clock(),
    });
    return Claims.parse(payload);
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      throw new AppError('token_expired', 'The access token has expired. Refresh it.');
    }
    throw new AppError('unauthenticated', 'The access token is not valid. Sign in again.');
  }
}

function verifyingKey(kid: string | undefined) {
  const found = signingKeys().find((key) => key.kid === kid);
  if (found === undefined) throw new errors.JWKSNoMatchingKey();
  return found.publicKey;
}

/** An Ed25519 key pair, named by the thumbprint of its public key (RFC 7638). */
interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** The DER of a PKCS #8 Ed25519 private key before its 32 bytes of seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Derives the keys from AUTH_SECRET, in its order, once per process: the first signs, all verify. */
export function signingKeys(): readonly SigningKey[] {
  return once('signing-keys', () => (config().AUTH_SECRET ?? []).map(deriveKey));
}

/** Returns the key that signs. */
export function currentSigningKey(): SigningKey {
  const first = signingKeys()[0];
  if (first === undefined) throw new Error('AUTH_SECRET is not set');
  return first;
}

/** Every process of a deployment derives the same pair, so no key is stored or exchanged. */
function deriveKey(secret: string): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, 'event-delivery-service', 'access token Ed25519', 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const { crv, kty, x } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  return { kid, privateKey, publicKey };
}
