import { config } from '@/lib/platform/config/config';
import type { ApiRequest } from './request';

/** Headers that a page of another origin may read, in addition to the CORS-safelisted ones. */
const EXPOSED = 'ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-EDS-Version, X-Request-Id';
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-API-Key, X-Request-Id';
const PREFLIGHT_SECONDS = 600;

/**
 * Returns the CORS headers that let pages of API_ALLOWED_ORIGINS read a response. No response allows credentials: cookies
 * are for the dashboard only.
 */
export function corsHeaders(request: ApiRequest): Record<string, string> {
  const allowed = config().API_ALLOWED_ORIGINS;
  if (allowed.length === 0) return {};
  if (allowed.includes('*')) return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED };
  const origin = request.header('origin');
  if (origin === null || !allowed.includes(origin)) return { Vary: 'Origin' };
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED, Vary: 'Origin' };
}

/** Returns the additional headers of a preflight response. @param verbs those of the path, as in `Allow` */
export function preflightHeaders(request: ApiRequest, verbs: string): Record<string, string> {
  const isPreflight = request.header('access-control-request-method') !== null;
  if (!isPreflight || !('Access-Control-Allow-Origin' in corsHeaders(request))) return {};
  return {
    'Access-Control-Allow-Methods': verbs,
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
  };
}
