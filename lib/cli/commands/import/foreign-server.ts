import { CliError, EXIT, usageError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { USER_AGENT } from '@/lib/cli/session/session-store';
import { isApiError, NetworkError } from '@/lib/client';
import { attempt, waitFor } from '@/lib/client/attempt';
import { checkedHeaders } from '@/lib/client/headers';
import { parseObject, readText, unexpectedResponse } from '@/lib/client/read-response';
import { retryDelayMs } from '@/lib/client/retry-policy';
import { isGiven, listOf, recordOf, textOf, type Values } from './values';

/** The largest answer that is read. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Items of one list, and pages, which may be empty. */
const MAX_ITEMS = 100_000;
const MAX_PAGES = 2_000;
const MAX_CURSOR_CHARS = 1_024;
const TIMEOUT_MS = 30_000;
/** The longest wait that is named: a server may ask for any. */
const MAX_NAMED_WAIT_SECONDS = 24 * 60 * 60;
const MAX_RETRIES = 5;
/** After so many answers that cannot be used, the rest is not tried: each takes several retries. */
const MAX_FAILURES = 20;

/** Another service did not answer with what was asked for. Its message has no text of that service. */
export class ForeignFault extends CliError {
  /** The status of the answer; null without one. */
  readonly status: number | null;
  /** No other request would be answered either. */
  readonly isFatal: boolean;

  constructor(message: string, status: number | null, fatal?: { code: string; next?: string }) {
    super(message, fatal?.code ?? 'source_failed', {
      exitCode: status === null ? EXIT.network : EXIT.failure,
      next: fatal?.next,
    });
    this.status = status;
    this.isFatal = fatal !== undefined;
  }
}

/** Whether a service does not have what was asked for, or does not know the call. */
export const isMissing = (fault: unknown) =>
  fault instanceof ForeignFault && (fault.status === 404 || fault.status === 405);

interface ForeignOptions {
  /** How people call the service. */
  name: string;
  url: string;
  token: string;
}

/** Reads the API of another service, with a token that goes nowhere else: redirects are not followed. */
export class ForeignServer {
  readonly name: string;
  readonly #base: string;
  readonly #headers: Headers;
  #failures = 0;
  /** The characters of all answers until now. */
  charsRead = 0;

  /** @throws CliError when the URL or the token cannot be used */
  constructor(
    private readonly context: Context,
    { name, url, token }: ForeignOptions,
  ) {
    this.name = name;
    this.#base = baseOf(url);
    try {
      this.#headers = checkedHeaders({
        Accept: 'application/json',
        Authorization: `Bearer ${token}`,
        'User-Agent': USER_AGENT,
      });
    } catch {
      throw usageError(`The token of ${name} must be printable ASCII characters.`);
    }
  }

  /**
   * Reads an object. Waits for rate limits, and repeats what failed for a while.
   * @param path its segments, which are encoded
   * @throws ForeignFault
   */
  async get(path: readonly string[], query: Readonly<Record<string, string | number | boolean>> = {}): Promise<Values> {
    const { signal } = this.context;
    for (let retries = 0; ; retries += 1) {
      try {
        return await attempt({
          fetch,
          url: this.#urlOf(path, query),
          init: { method: 'GET', headers: this.#headers },
          timeoutMs: TIMEOUT_MS,
          signal,
          read: this.#read,
          isStream: false,
        });
      } catch (error) {
        signal.throwIfAborted();
        if (!isApiError(error) && !(error instanceof NetworkError)) throw error;
        const delayMs = isTemporary(error) ? this.#delayMs(error, retries) : null;
        if (delayMs === null) throw this.#faultOf(error);
        await waitFor(delayMs, signal);
      }
    }
  }

  /**
   * Reads the items of all pages of a list.
   * @param read reads the page at a cursor
   * @throws ForeignFault when a page cannot be read, or the list does not end
   */
  async *list(read: (cursor: string | null) => Promise<Page>): AsyncGenerator<unknown, void, undefined> {
    const seen = new Set<string>();
    let count = 0;
    for (let cursor: string | null = null; ; ) {
      const { items, next } = await read(cursor);
      if (items === null) throw this.unreadable('a page without its list');
      for (const item of items) {
        count += 1;
        if (count > MAX_ITEMS) throw this.unreadable(`a list of more than ${MAX_ITEMS} items`);
        yield item;
      }
      if (next === null) return;
      if (next.length > MAX_CURSOR_CHARS || seen.has(next)) throw this.unreadable('the same page again and again');
      if (seen.add(next).size > MAX_PAGES) throw this.unreadable(`a list of more than ${MAX_PAGES} pages`);
      cursor = next;
    }
  }

  /** Returns the fault of an answer that has something else than its description says. */
  unreadable(what: string): ForeignFault {
    return new ForeignFault(`${this.name} answered with ${what}.`, 200);
  }

  /**
   * Returns the texts of a field that narrows what an endpoint receives; none when it is not given.
   * @throws ForeignFault for anything else: without it, the endpoint would get more than it should
   */
  textsOf(value: unknown, what: string): string[] {
    const texts = isGiven(value) ? listOf(value) : [];
    if (texts === null || texts.some((each) => textOf(each) === null)) {
      throw this.unreadable(`${what} that are no list of texts`);
    }
    return texts as string[];
  }

  /** As textsOf, for an object; null when it is not given. */
  recordIn(value: unknown, what: string): Values | null {
    const record = recordOf(value);
    if (record === null && isGiven(value)) throw this.unreadable(`${what} that is no object`);
    return record;
  }

  readonly #read = async (response: Response): Promise<Values> => {
    const text = await readText(response, MAX_ANSWER_BYTES);
    this.charsRead += text?.length ?? 0;
    const answer = recordOf(parseObject(text));
    if (answer === null) throw unexpectedResponse(response, 'not an object');
    return answer;
  };

  #urlOf(path: readonly string[], query: Readonly<Record<string, string | number | boolean>>): string {
    // A URL would drop these, and lead elsewhere.
    if (path.some((segment) => segment === '' || segment === '.' || segment === '..')) {
      throw new ForeignFault(`${this.name} uses an ID that no URL can contain.`, 200);
    }
    const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return `${this.#base}/${path.map(encodeURIComponent).join('/')}${parameters.size === 0 ? '' : `?${parameters}`}`;
  }

  /** @returns null when it has been repeated often enough, or must not be repeated for long */
  #delayMs(error: unknown, retries: number): number | null {
    const retryAfterSeconds = isApiError(error) ? error.retryAfterSeconds : null;
    return retries < MAX_RETRIES ? retryDelayMs({ retries, retryAfterSeconds, random: Math.random() }) : null;
  }

  #faultOf(error: unknown): ForeignFault {
    const { name } = this;
    if (!isApiError(error)) {
      const next = 'Check --url, and run the command again: it continues where it ended.';
      return new ForeignFault(`We couldn’t reach ${name}.`, null, { code: 'source_unreachable', next });
    }
    const { status, retryAfterSeconds } = error;
    if (status === 401) {
      return new ForeignFault(`${name} refused the token.`, status, { code: 'source_unauthorized', next: 'Check it.' });
    }
    if (status >= 300 && status < 400) {
      const next = 'Give the URL that it redirects to with --url: the token is sent to no other server.';
      return new ForeignFault(`${name} redirects to another URL.`, status, { code: 'source_redirects', next });
    }
    if (status === 429) {
      const seconds = retryAfterSeconds ?? Number.POSITIVE_INFINITY;
      const wait = seconds > MAX_NAMED_WAIT_SECONDS ? 'later' : `in ${seconds} s`;
      const next = `Run the command again ${wait}: it continues where it ended.`;
      return new ForeignFault(`${name} limits the rate of requests.`, status, { code: 'source_limited', next });
    }
    const message = status < 400 ? `${name} answered with something else than JSON of at most 8 MiB` : `HTTP ${status}`;
    if (status !== 404 && status !== 405) this.#failures += 1;
    if (this.#failures < MAX_FAILURES) return new ForeignFault(`${message}.`, status);
    const next = 'Run the command again later: it continues where it ended.';
    return new ForeignFault(`${name} failed ${MAX_FAILURES} times.`, status, { code: 'source_failing', next });
  }
}

export interface Page {
  /** Null when it is no list. */
  items: unknown[] | null;
  next: string | null;
}

function isTemporary(error: unknown): boolean {
  return isApiError(error) ? error.status === 429 || error.status >= 500 : error instanceof NetworkError;
}

function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw usageError('--url must be an http or https URL without a username, query or fragment.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
