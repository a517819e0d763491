import type { AuthOptions } from 'next-auth';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import { config } from '@/lib/platform/config/config';
import { log } from '@/lib/platform/log';
import { checkCookieOptions } from './check-cookies';
import { describeFault } from './describe-fault';
import type { IssuerMetadata } from './discover-issuer';
import type { IdpClient } from './idp-client';

export const PROVIDER_ID = 'idp';
const SCOPES = 'openid email profile';
/** A request of ours to the provider may be silent for so long. */
const HTTP_TIMEOUT_MS = 5000;

export type Claims = Readonly<Record<string, unknown>>;

export interface RoundTripOptions {
  client: IdpClient;
  metadata: IssuerMetadata;
  /** Seals the check cookies, or has sealed them. */
  secret: string;
  /** Is given the claims of the checked ID token. */
  onClaims: (claims: Claims) => void;
}

/**
 * What next-auth is told: one provider, authorization code with state, nonce and PKCE, our own redirect URI, and no
 * session of its own.
 */
export function nextAuthOptions({ client, metadata, secret, onClaims }: RoundTripOptions): AuthOptions {
  return {
    secret,
    useSecureCookies: config().baseUrl.startsWith('https:'),
    cookies: checkCookieOptions(),
    logger: {
      // The metadata hold tokens, checks and claims: only the code of what happened goes into the log.
      error: (code: string) => log().warn({ code }, 'sign-in through the provider failed'),
      warn: (code: string) => log().warn({ code }, 'next-auth warns'),
      debug: () => undefined,
    },
    providers: [describeProvider(client, metadata)],
    callbacks: {
      signIn: ({ profile }) => {
        onClaims((profile ?? {}) as Claims);
        // An address instead of `true`: next-auth then opens no session.
        return config().baseUrl;
      },
    },
  };
}

function describeProvider(client: IdpClient, metadata: IssuerMetadata): OAuthConfig<Claims> {
  const { clientId, clientSecret, redirectUri } = client;
  return {
    id: PROVIDER_ID,
    name: PROVIDER_ID,
    type: 'oauth',
    clientId,
    clientSecret,
    issuer: metadata.issuer,
    jwks_endpoint: metadata.jwks_uri,
    idToken: true,
    checks: ['state', 'pkce', 'nonce'],
    client: { token_endpoint_auth_method: chooseClientAuthentication(metadata) },
    httpOptions: { timeout: HTTP_TIMEOUT_MS },
    authorization: {
      url: metadata.authorization_endpoint,
      params: { scope: SCOPES, redirect_uri: redirectUri },
    },
    token: {
      url: metadata.token_endpoint,
      request: async ({ client: relyingParty, params, checks }) => {
        // Without the response type, an answer without a code would be taken for one of another flow.
        const exchange = relyingParty.callback(redirectUri, params, { ...checks, response_type: 'code' });
        return { tokens: await exchange.catch(noteFault) };
      },
    },
    userinfo: {
      ...(metadata.userinfo_endpoint === undefined ? {} : { url: metadata.userinfo_endpoint }),
      request: async ({ client: relyingParty, tokens }) => {
        // next-auth's type is of what it stores; what it hands over is what `callback` above gave.
        const checked = tokens as unknown as Exclude<Parameters<typeof relyingParty.userinfo>[0], string>;
        const claims: Claims = { ...checked.claims() };
        // A provider may keep its ID tokens small and tell the address here only; Google tells it in both.
        if ('email' in claims || metadata.userinfo_endpoint === undefined) return claims;
        return { ...(await relyingParty.userinfo(checked).catch(noteFault)), ...claims };
      },
    },
    profile: ({ sub }) => ({ id: String(sub) }),
  };
}

function noteFault(fault: unknown): never {
  log().warn({ fault: describeFault(fault) }, 'the provider or its answer was refused');
  throw fault;
}

function chooseClientAuthentication(metadata: IssuerMetadata): 'client_secret_basic' | 'client_secret_post' {
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return supported.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post';
}
