import type { AuthOptions } from 'next-auth';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import { SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import type { Logger } from '@/lib/platform/log';
import { checkCookieOptions } from './check-cookies';
import type { IdpClient, IssuerMetadata } from './idp-client';
import { describeFault } from './idp-client';
import { providerAgent } from './provider-agent';

export const PROVIDER_ID = 'idp';
const SCOPES = 'openid email profile';
/** Timeout of each request to the provider. */
const HTTP_TIMEOUT_MS = 5000;
/** How far the provider's clock may be ahead: as next-auth allows for the other times of an ID token. */
const CLOCK_TOLERANCE_SECONDS = 10;

export type Claims = Readonly<Record<string, unknown>>;

interface RoundTripOptions {
  client: IdpClient;
  metadata: IssuerMetadata;
  /** Seals the check cookies, and opens them afterwards. */
  secret: string;
  log: Logger;
  /** Receives the claims of the checked ID token. */
  onClaims: (claims: Claims) => void;
}

/**
 * Builds next-auth's options: one provider, authorization code flow with state, nonce and PKCE, our own redirect URI,
 * and no session of next-auth.
 */
export function nextAuthOptions({ client, metadata, secret, log, onClaims }: RoundTripOptions): AuthOptions {
  return {
    secret,
    useSecureCookies: config().baseUrl.startsWith('https:'),
    cookies: checkCookieOptions(),
    logger: {
      // The metadata contain tokens, checks and claims: only the code is logged.
      error: (code: string) => log.warn({ code }, 'sign-in through the provider failed'),
      warn: (code: string) => log.warn({ code }, 'warning of next-auth'),
      debug: () => undefined,
    },
    providers: [describeProvider(client, metadata, log)],
    callbacks: {
      signIn: ({ profile }) => {
        onClaims((profile ?? {}) as Claims);
        // With a URL instead of `true`, next-auth opens no session.
        return config().baseUrl;
      },
    },
  };
}

function describeProvider(client: IdpClient, metadata: IssuerMetadata, log: Logger): OAuthConfig<Claims> {
  const noteFault = (fault: unknown): never => {
    log.warn({ fault: describeFault(fault) }, 'exchange with the provider failed');
    throw fault;
  };
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
    httpOptions: { timeout: HTTP_TIMEOUT_MS, agent: providerAgent(metadata.token_endpoint) },
    authorization: {
      url: metadata.authorization_endpoint,
      params: { scope: SCOPES, redirect_uri: redirectUri },
    },
    token: {
      url: metadata.token_endpoint,
      request: async ({ client: relyingParty, params, checks }) => {
        // Without the response type, openid-client would accept a response without a code as one of another flow.
        const exchange = relyingParty.callback(redirectUri, params, { ...checks, response_type: 'code' });
        const tokens = await exchange.catch(noteFault);
        // openid-client checks the other times of an ID token, but not this one.
        if (tokens.claims().iat > Date.now() / SECOND_MS + CLOCK_TOLERANCE_SECONDS) {
          noteFault(Object.assign(new Error('the ID token is not issued yet'), { code: 'issued_in_the_future' }));
        }
        return { tokens };
      },
    },
    userinfo: {
      ...(metadata.userinfo_endpoint === undefined ? {} : { url: metadata.userinfo_endpoint }),
      request: async ({ client: relyingParty, tokens }) => {
        // next-auth's type describes what it stores; the value is what `callback` above returned.
        const checked = tokens as unknown as Exclude<Parameters<typeof relyingParty.userinfo>[0], string>;
        const claims: Claims = { ...checked.claims() };
        // Some providers send the address only here, to keep ID tokens small; Google sends it in both.
        if ('email' in claims || metadata.userinfo_endpoint === undefined) return claims;
        return { ...(await relyingParty.userinfo(checked).catch(noteFault)), ...claims };
      },
    },
    profile: ({ sub }) => ({ id: String(sub) }),
  };
}

function chooseClientAuthentication(metadata: IssuerMetadata): 'client_secret_basic' | 'client_secret_post' {
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return supported.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post';
}
