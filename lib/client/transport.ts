import type { AnyOptions, Api, RequestParts } from './api';
import { type Attempt, attempt, untilAborted, waitFor } from './attempt';
import { ApiError } from './errors';
import { checkedHeaders, userAgent } from './headers';
import { ListRequest } from './list-request';
import { type ClientOptions, checkLimits, checkOptions, DEFAULT_RETRIES, DEFAULT_TIMEOUT_MS } from './options';
import { fillPath, type Verb } from './path';
import { toQueryString } from './query';
import { readNothing, readObject, readPage } from './read-response';
import { mayRetry, retryDelayMs } from './retry-policy';

interface Request<T> {
  verb: Verb;
  path: string;
  parts: RequestParts<string>;
  options: AnyOptions;
  read: Attempt<T>['read'];
  isStream?: boolean;
}

/** Returns a transport, which sends requests to a server with retries. @throws TypeError when an option cannot be used */
export function createTransport(client: ClientOptions): Api {
  const baseUrl = checkOptions(client);
  const send = <T>(request: Request<T>) => sendWithRetries(client, baseUrl, request);
  return {
    call: (verb, path, parts = {}, options = {}) =>
      send({ verb, path, parts, options, read: (response) => readObject(response, parts.needs ?? []) }),
    run: (verb, path, parts = {}, options = {}) => send({ verb, path, parts, options, read: readNothing }),
    download: (path, parts = {}, options = {}) =>
      send({ verb: 'GET', path, parts, options, read: async (response) => response, isStream: true }),
    list: <T>(path: string, parts: RequestParts<string> = {}, options: AnyOptions = {}) =>
      new ListRequest<T>((cursor) => {
        const query = { ...parts.query, ...(cursor === undefined ? {} : { cursor }) };
        return send({
          verb: 'GET',
          path,
          parts: { ...parts, query },
          options,
          read: (response) => readPage<T>(response),
        });
      }),
  };
}

async function sendWithRetries<T>(client: ClientOptions, baseUrl: string, request: Request<T>): Promise<T> {
  const { verb, path, parts, options, read, isStream = false } = request;
  checkLimits(options);
  const ids = { projectId: options.projectId ?? client.projectId, ...parts.ids };
  const url = `${baseUrl}${fillPath(path, ids)}${toQueryString(parts.query ?? {})}`;
  // JSON.stringify rounds large numbers: who has the text of a body sends that.
  const body = parts.body === undefined || typeof parts.body === 'string' ? parts.body : JSON.stringify(parts.body);
  const idempotencyKey = parts.isRepeatable ? (parts.idempotencyKey ?? newIdempotencyKey()) : null;
  const maxRetries = options.maxRetries ?? client.maxRetries ?? DEFAULT_RETRIES;
  const { signal } = options;
  for (let retries = 0; ; retries += 1) {
    const headers = await headersOf(client, request, idempotencyKey);
    const init = { method: verb, headers, ...(body === undefined ? {} : { body }) };
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const fetcher: typeof fetch = client.fetch ?? ((...given) => fetch(...given));
    try {
      return await attempt({ fetch: fetcher, url, init, timeoutMs, signal, read, isStream });
    } catch (error) {
      const retryAfterSeconds = error instanceof ApiError ? error.retryAfterSeconds : null;
      const delayMs = retryDelayMs({ retries, retryAfterSeconds, random: Math.random() });
      if (signal?.aborted || retries >= maxRetries || delayMs === null) throw error;
      if (!mayRetry({ verb, idempotencyKey }, error)) throw error;
      await waitFor(delayMs, signal);
    }
  }
}

async function headersOf(client: ClientOptions, { parts, options }: Request<unknown>, idempotencyKey: string | null) {
  const token = parts.isAnonymous ? undefined : client.accessToken?.();
  const accessToken = await untilAborted(Promise.resolve(token), options.signal);
  const given = {
    Accept: 'application/json',
    'Content-Type': parts.body === undefined ? undefined : 'application/json',
    'Idempotency-Key': idempotencyKey ?? undefined,
    'X-API-Key': parts.isAnonymous ? undefined : client.apiKey,
    Authorization: client.accessToken === undefined || parts.isAnonymous ? undefined : `Bearer ${accessToken}`,
  };
  const present = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return checkedHeaders({ ...userAgent(), ...client.headers, ...Object.fromEntries(present) });
}

/** Returns a random UUID (version 4). crypto.randomUUID is missing on pages that are not served over HTTPS. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
