import { hkdfSync } from 'node:crypto';
import { config } from '@/lib/platform/config/config';

/** Derives the secrets that seal next-auth's check cookies from the entries of AUTH_SECRET, in their order. */
function sealingSecrets(): string[] {
  return (config().AUTH_SECRET ?? []).map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, 'event-delivery-service', 'next-auth check cookies', 32)).toString('hex'),
  );
}

/** Returns the secret that seals. */
export function currentSealingSecret(): string {
  const first = sealingSecrets()[0];
  if (first === undefined) throw new Error('AUTH_SECRET is not set');
  return first;
}

/**
 * Finds the secret that sealed a cookie; null when none of ours did, or the cookie has expired. next-auth accepts one
 * secret only: without this, rotating AUTH_SECRET would break sign-ins in progress.
 */
export async function findSealingSecret(cookie: { name: string; value: string }): Promise<string | null> {
  const { decode } = await import('next-auth/jwt');
  for (const secret of sealingSecrets()) {
    const opened = await decode({ token: cookie.value, secret, salt: cookie.name }).catch(() => null);
    if (opened !== null) return secret;
  }
  return null;
}
