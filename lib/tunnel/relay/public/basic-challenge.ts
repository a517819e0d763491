import { sha256 } from '@/lib/platform/crypto';

/**
 * Returns the challenge for a name and a password of a tunnel. All tunnels share an origin, and a browser answers a realm that
 * it knows by itself: with a common one, a tunnel would be sent the passwords of the others.
 * @param prefix `/t/` and the token
 */
export function basicChallenge(prefix: string): string {
  return `Basic realm="tunnel ${sha256(prefix).toString('hex').slice(0, 16)}", charset="UTF-8"`;
}

/** Whether a value of WWW-Authenticate asks for basic authentication, alone or among others. */
export function asksForBasic(challenge: string): boolean {
  return /(?:^|[\s,])basic(?:[\s,]|$)/i.test(challenge);
}
