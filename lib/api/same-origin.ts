import type { AnonymousCaller } from '@/lib/audit/caller';
import type { CallerPolicy } from '@/lib/http/caller-policy';
import type { ApiRequest } from '@/lib/http/request';
import { config } from '@/lib/platform/config/config';
import { AppError } from '@/lib/platform/errors';

/**
 * Anyone, but no page of another site: for what acts on a cookie that the browser adds by itself. Judged before the body
 * and before the token is touched.
 */
export function anyoneFromSameOrigin(): CallerPolicy<AnonymousCaller> {
  return {
    kind: 'anyone',
    authenticate: async (request) => {
      if (!isFromOwnSite(request)) {
        throw new AppError('cross_site_request', 'This request came from a page of another site.');
      }
      return { type: 'anonymous', origin: request.origin };
    },
  };
}

/** Clients that are no browser send neither header. "none" is what a browser says when the user, not a page, asked. */
function isFromOwnSite(request: ApiRequest): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') return false;
  const origin = request.header('origin');
  return origin === null || origin === config().baseUrl || isOriginOfHost(origin, request.header('host'));
}

/** Whichever name the deployment was called by is its own (CONTRACT 10); the scheme may have been ended by a proxy. */
function isOriginOfHost(origin: string, host: string | null): boolean {
  if (host === null || !URL.canParse(origin)) return false;
  const { protocol, host: originHost } = new URL(origin);
  const called = `${protocol}//${host}`;
  return /^https?:$/.test(protocol) && URL.canParse(called) && new URL(called).host === originHost;
}
