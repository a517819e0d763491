import { config } from '@/lib/platform/config/config';
import type { SignInProvider } from './schema';

/** The OAuth client that the deployment has at its provider (spec 5.7.4–5). */
export interface IdpClient {
  clientId: string;
  clientSecret: string;
  issuer: string;
  /** Must match what is registered at the provider to the letter. */
  redirectUri: string;
}

/** The configured client; null while its id and secret are not both set. */
export function findIdpClient(): IdpClient | null {
  const { IDP_OAUTH_CLIENT_ID: clientId, IDP_OAUTH_CLIENT_SECRET: clientSecret, IDP_OAUTH_ISSUER, baseUrl } = config();
  if (clientId === undefined || clientSecret === undefined) return null;
  return {
    clientId,
    clientSecret,
    issuer: IDP_OAUTH_ISSUER,
    redirectUri: `${baseUrl}/api/v1/auth/oauth/idp/callback`,
  };
}

/** What the sign-in and registration pages offer besides a password (spec 5.7.1). */
export function listSignInProviders(): SignInProvider[] {
  return findIdpClient() === null ? [] : [{ id: 'idp', name: config().IDP_OAUTH_NAME }];
}
