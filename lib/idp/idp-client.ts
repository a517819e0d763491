import { config } from '@/lib/platform/config/config';
import type { SignInProvider } from './schema';

/** The deployment's OAuth client at its provider. */
export interface IdpClient {
  clientId: string;
  clientSecret: string;
  issuer: string;
  /** Must match the URI registered at the provider exactly. */
  redirectUri: string;
}

/** Returns the configured client; null unless both its id and its secret are set. */
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

/** Lists the providers that the sign-in and registration pages offer. */
export function listSignInProviders(): SignInProvider[] {
  return findIdpClient() === null ? [] : [{ id: 'idp', name: config().IDP_OAUTH_NAME }];
}
