import * as z from 'zod';
import { config } from '@/lib/platform/config/config';
import { isLoopbackHost } from '@/lib/platform/config/variable-types';
import { once } from '@/lib/platform/globals';
import { MAX_PROVIDER_BYTES } from './provider-agent';
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

const TIMEOUT_MS = 5000;
const CACHE_MS = 10 * 60 * 1000;

const Endpoint = z
  .string()
  .refine((text) => URL.canParse(text) && isPrivateEnough(new URL(text)), 'must be https (http on loopback only)');

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: Endpoint,
  token_endpoint: Endpoint,
  jwks_uri: Endpoint,
  userinfo_endpoint: Endpoint.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
/** The part of a provider's discovery document that we need (OpenID Connect Discovery 1.0, section 3). */
export type IssuerMetadata = z.infer<typeof Metadata>;

interface Cached {
  issuer: string;
  metadata: Promise<IssuerMetadata>;
  expiresAtMs: number;
}

/**
 * Reads the provider's discovery document. It is read at a sign-in, not at startup, which must not depend on the
 * provider. It is cached for ten minutes; next-auth's own discovery would call the provider at every request to the
 * start path.
 *
 * @throws Error when the issuer does not respond within 5 s, or the document names another issuer
 */
export function discoverIssuer(issuer: string): Promise<IssuerMetadata> {
  const cache = once<{ current?: Cached }>('idp-issuer', () => ({}));
  const { current } = cache;
  if (current?.issuer === issuer && current.expiresAtMs > Date.now()) return current.metadata;
  const fresh = { issuer, metadata: fetchMetadata(issuer), expiresAtMs: Date.now() + CACHE_MS };
  cache.current = fresh;
  fresh.metadata.catch(() => {
    if (cache.current === fresh) delete cache.current;
  });
  return fresh.metadata;
}

async function fetchMetadata(issuer: string): Promise<IssuerMetadata> {
  const response = await fetch(`${withoutSlash(issuer)}/.well-known/openid-configuration`, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the issuer responded to discovery with ${response.status}`);
  const metadata = Metadata.parse(JSON.parse(await readText(response)));
  // Otherwise any document at that address could name another issuer, and we would trust its tokens.
  if (withoutSlash(metadata.issuer) !== withoutSlash(issuer))
    throw new Error('the discovery document names another issuer');
  return metadata;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_PROVIDER_BYTES) throw new Error('the discovery document has more than 64 KiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

function isPrivateEnough(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}

/** Codes of OAuth ("invalid_client") and of the network ("ECONNREFUSED"). */
const CODE = /^[A-Za-z_]{1,40}$/;

/**
 * Describes an error of the provider for the log: enough to distinguish a wrong secret from a wrong clock, without
 * the tokens, checks and addresses that messages of openid-client quote after their first words.
 */
export function describeFault(fault: unknown): string {
  if (!(fault instanceof Error)) return 'unknown';
  const { error, code, cause } = fault as { error?: unknown; code?: unknown; cause?: unknown };
  if (typeof error === 'string' && CODE.test(error)) return error;
  if (fault.name === 'RPError') return fault.message.split(/[,:(]/)[0]?.slice(0, 80) ?? fault.name;
  if (typeof code === 'string' && CODE.test(code)) return code;
  return cause instanceof Error ? `${fault.name}: ${describeFault(cause)}` : fault.name;
}
