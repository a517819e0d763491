import type { SignedIn } from '@/lib/auth/schema';
import { CliError } from '@/lib/cli/cli-error';
import type { SessionCredentials } from '@/lib/cli/config/credentials';
import { EXIT } from '@/lib/cli/exit-codes';

/**
 * Returns what is stored of a response to a sign-in, a refresh, or a switch of organization, which has no refresh token.
 * @throws CliError for a response that no session can be made of
 */
export function sessionFrom(url: string, signedIn: SignedIn, previous?: SessionCredentials): SessionCredentials {
  const { accessToken, expiresIn, refreshToken = previous?.refreshToken, user, organization } = signedIn;
  if (typeof refreshToken !== 'string' || typeof user?.email !== 'string' || !Number.isFinite(expiresIn)) {
    throw new CliError({
      message: 'The server’s response isn’t a session.',
      code: 'unexpected_response',
      exitCode: EXIT.failure,
      next: 'Check the URL of the server: eds config show',
    });
  }
  return {
    kind: 'session',
    url,
    accessToken,
    accessTokenExpiresAt: Date.now() + expiresIn * 1000,
    refreshToken,
    email: user.email,
    organizationId: organization?.id ?? null,
  };
}
