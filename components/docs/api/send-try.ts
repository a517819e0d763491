import { networkError, parseApiError } from '@/components/auth-session/api-error';
import { withAccessToken } from '@/components/auth-session/api-fetch';
import { parseJson } from '@/components/auth-session/request';
import { prettyJson } from '@/components/ui/format-json';

/** A response as the page shows it. */
export interface TryResult {
  status: number;
  durationMs: number;
  headers: { name: string; value: string }[];
  text: string;
  isJson: boolean;
  isTruncated: boolean;
  /** The code of a problem document; null for other responses. */
  problemCode: string | null;
}

/** What helps a reader to use the API. Others are about the connection. */
const SHOWN_HEADERS = [
  'Content-Type',
  'Content-Disposition',
  'ETag',
  'Location',
  'X-Request-Id',
  'Retry-After',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'X-Audit-Log-Truncated',
];

/**
 * Sends a GET, as the signed-in person or without a credential. Problems are results too.
 * @throws ApiError without a response, or when the session has ended
 */
export function sendTry(path: string, asPerson: boolean): Promise<TryResult> {
  return asPerson ? withAccessToken((token) => send(path, token)) : send(path, null);
}

/**
 * Posts JSON with an API key. Problems are results too.
 * @param json sent as it is
 * @throws ApiError without a response
 */
export function postTry(path: string, json: string, headers: Record<string, string>): Promise<TryResult> {
  const init = { method: 'POST', body: json, headers: { 'Content-Type': 'application/json', ...headers } };
  return send(path, null, init);
}

interface TryInit {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

async function send(path: string, token: string | null, init: TryInit = {}): Promise<TryResult> {
  const startedMs = performance.now();
  const authorization: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(path, {
    ...init,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    headers: { Accept: 'application/json', ...authorization, ...init.headers },
  }).catch(() => {
    throw networkError();
  });
  // A refresh may follow, and a second try.
  if (response.status === 401 && token !== null) {
    const error = await parseApiError(response.clone());
    if (error.code === 'token_expired' || error.code === 'unauthenticated') throw error;
  }
  const { text, isTruncated } = await readStart(response).catch(() => {
    throw networkError();
  });
  const durationMs = performance.now() - startedMs;
  const headers = SHOWN_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [{ name, value }];
  });
  return { status: response.status, durationMs, headers, ...format(text, isTruncated) };
}

/** Indents JSON. Indenting must not make the text longer than what a page shows. */
function format(
  text: string,
  isTruncated: boolean,
): Pick<TryResult, 'text' | 'isJson' | 'isTruncated' | 'problemCode'> {
  try {
    const value = parseJson(text);
    const pretty = prettyJson(value);
    const { code } = (value ?? {}) as { code?: unknown };
    return {
      text: pretty.slice(0, MAX_SHOWN_BYTES),
      isJson: true,
      isTruncated: isTruncated || pretty.length > MAX_SHOWN_BYTES,
      problemCode: typeof code === 'string' ? code : null,
    };
  } catch {
    return { text, isJson: false, isTruncated, problemCode: null };
  }
}

/** The most of a body that a page shows, in bytes. */
export const MAX_SHOWN_BYTES = 256 * 1024;

interface BodyStart {
  text: string;
  /** Whether the body has more than `text`. */
  isTruncated: boolean;
}

/** Reads at most MAX_SHOWN_BYTES of a body as UTF-8, and cancels the rest, so that a large response stays unread. */
export async function readStart(response: Response): Promise<BodyStart> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { text: '', isTruncated: false };
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isTruncated: false };
    const room = MAX_SHOWN_BYTES - bytes;
    text += decoder.decode(value.subarray(0, room), { stream: true });
    bytes += value.length;
    if (bytes <= MAX_SHOWN_BYTES) continue;
    await reader.cancel();
    return { text, isTruncated: true };
  }
}

/** What the reader has typed, by the name of the parameter. */
export type TypedValues = Readonly<Record<string, string>>;

/** Fills a path template, and adds the query parameters that have a value. */
export function buildPath(template: string, queryNames: readonly string[], values: TypedValues): string {
  const path = template.replace(/\{(\w+)\}/g, (_match, name: string) => encodePart((values[name] ?? '').trim()));
  const query = new URLSearchParams();
  for (const name of queryNames) if ((values[name] ?? '').trim() !== '') query.set(name, (values[name] ?? '').trim());
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** A browser would resolve "." and ".." to another path, also in percent-encoding. */
function encodePart(value: string): string {
  return /^\.{1,2}$/.test(value) ? '-' : encodeURIComponent(value);
}

/** Returns the names of path parameters without a value. */
export function missingNames(template: string, values: TypedValues): string[] {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.filter((name) => (values[name] ?? '').trim() === '');
}
