import { hkdfSync } from 'node:crypto';
import { config } from '@/lib/platform/config/config';

/** What next-auth seals the check cookies with: derived from each entry of AUTH_SECRET, in its order. */
function sealingSecrets(): string[] {
  return (config().AUTH_SECRET ?? []).map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, 'event-delivery-service', 'next-auth check cookies', 32)).toString('hex'),
  );
}

/** The secret that seals. */
export function currentSealingSecret(): string {
  const first = sealingSecrets()[0];
  if (first === undefined) throw new Error('AUTH_SECRET is not set');
  return first;
}

/**
 * The secret that sealed a cookie; null when it is none of ours, or its time has passed. next-auth itself knows one secret
 * only: a round trip that began before AUTH_SECRET was rotated, or at a process that was not told yet, would be lost.
 */
export async function findSealingSecret(cookie: { name: string; value: string }): Promise<string | null> {
  const { decode } = await import('next-auth/jwt');
  for (const secret of sealingSecrets()) {
    const opened = await decode({ token: cookie.value, secret, salt: cookie.name }).catch(() => null);
    if (opened !== null) return secret;
  }
  return null;
}
