import { networkError, parseApiError } from '@/components/auth-session/api-error';
import { withAccessToken } from '@/components/auth-session/api-fetch';
import { parseJson } from '@/components/auth-session/parse-json';
import { prettyJson } from '@/components/ui/format-json';
import { MAX_SHOWN_BYTES, readStart } from './read-start';

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
  ...['Content-Type', 'Content-Disposition', 'ETag', 'Location', 'X-Request-Id'],
  ...['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Audit-Log-Truncated'],
];

/**
 * Sends a GET, as the signed-in person or without a credential. Problems are results too.
 * @throws ApiError without a response, or when the session has ended
 */
export function sendTry(path: string, asPerson: boolean): Promise<TryResult> {
  return asPerson ? withAccessToken((token) => send(path, token)) : send(path, null);
}

async function send(path: string, token: string | null): Promise<TryResult> {
  const startedMs = performance.now();
  const response = await fetch(path, {
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    headers: { Accept: 'application/json', ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
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
