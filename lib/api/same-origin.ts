import type { AnonymousCaller } from '@/lib/audit/caller';
import type { CallerPolicy } from '@/lib/http/caller-policy';
import type { ApiRequest } from '@/lib/http/request';
import { config } from '@/lib/platform/config/config';
import { AppError } from '@/lib/platform/errors';
import { parseUrl } from '@/lib/platform/net/parse-url';

/**
 * Requires no credential, but refuses pages of other sites: for routes that act on a cookie, which a browser adds to any
 * request. The check comes before the body is read and before the token is used.
 */
export function anyoneFromSameOrigin(): CallerPolicy<AnonymousCaller> {
  return {
    kind: 'anyone',
    authenticate: async (request) => {
      if (!isFromOwnSite(request)) {
        throw new AppError('cross_site_request', 'This request came from a page of another site.');
      }
      return { type: 'anonymous', client: request.client };
    },
  };
}

/**
 * Other clients than browsers send neither header. A browser sends "none" when the user, and not a page, made the
 * request.
 */
function isFromOwnSite(request: ApiRequest): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') return false;
  const origin = request.header('origin');
  return origin === null || origin === config().baseUrl || isOriginOfHost(origin, request.header('host'));
}

/** Any host name that reaches the deployment is its own. The scheme may differ: a proxy may terminate TLS. */
function isOriginOfHost(origin: string, host: string | null): boolean {
  const from = parseUrl(origin);
  if (host === null || from === null || !/^https?:$/.test(from.protocol)) return false;
  return parseUrl(`${from.protocol}//${host}`)?.host === from.host;
}
