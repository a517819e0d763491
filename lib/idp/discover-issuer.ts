import * as z from 'zod';
import { isLoopbackHost } from '@/lib/platform/config/variables';
import { once } from '@/lib/platform/globals';

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
/** What is needed of a provider's discovery document (OpenID Connect Discovery 1.0, section 3). */
export type IssuerMetadata = z.infer<typeof Metadata>;

interface Cached {
  issuer: string;
  metadata: Promise<IssuerMetadata>;
  expiresAtMs: number;
}

/**
 * Finds out where the provider's endpoints are. Asked for when somebody signs in, not at the start of the service, which
 * must not depend on the provider; kept for ten minutes, so that whoever calls the start path over and over does not make
 * us call the provider as often (next-auth's own discovery would, each time).
 *
 * @throws Error when the issuer cannot be reached within 5 s, or its document is not that issuer's
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
  if (!response.ok) throw new Error(`the issuer answered ${response.status} to discovery`);
  const metadata = Metadata.parse(await response.json());
  // Else any document that the address serves could name another issuer, whose tokens would then be believed.
  if (withoutSlash(metadata.issuer) !== withoutSlash(issuer)) throw new Error('the document is of another issuer');
  return metadata;
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

function isPrivateEnough(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}
