import type { SignedIn } from '@/lib/auth/schema';
import type { SessionCredentials } from '@/lib/cli/config/credentials';

/** Returns what is stored of a response to a sign-in, a refresh, or a switch of organization, which has no refresh token. */
export function sessionFrom(url: string, signedIn: SignedIn, previous?: SessionCredentials): SessionCredentials {
  const refreshToken = signedIn.refreshToken ?? previous?.refreshToken;
  if (refreshToken === undefined) throw new Error('The server sent no refresh token.');
  return {
    kind: 'session',
    url,
    accessToken: signedIn.accessToken,
    accessTokenExpiresAt: Date.now() + signedIn.expiresIn * 1000,
    refreshToken,
    email: signedIn.user.email,
    organizationId: signedIn.organization?.id ?? null,
  };
}
