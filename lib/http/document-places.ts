import type { ClientInfo } from '@/lib/platform/client-info';
import { SECOND_MS } from '@/lib/platform/clock';
import { AppError, isAppError } from '@/lib/platform/errors';
import { FairSemaphore, type Release, type SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import { once } from '@/lib/platform/globals';
import { BACKSLASH, isOpening, QUOTE } from '@/lib/platform/json-bytes';
import { isAlone, Pace, type PaceLimits } from '@/lib/platform/pace';
import { holdPlace } from '@/lib/platform/place-holder';
import { countThread } from '@/lib/platform/thread-turns';

/**
 * Documents that are parsed or used at once. Parsed, one takes 10 MB, and what its handler reads of it 100 MiB at worst. Those that wait are
 * bytes, of a MiB at most.
 */
export const DOCUMENT_PLACES: SemaphoreLimits = { width: 3, widthPerTenant: 1, waiting: 40, waitingPerTenant: 10 };
/** Documents of this size take little memory and time, and wait for none that are larger. */
const SMALL_BYTES = 16 * 1024;
const SMALL_PLACES: SemaphoreLimits = { width: 6, widthPerTenant: 1, waiting: 200, waitingPerTenant: 10 };
const MIB = 1024 * 1024;
/**
 * Bytes of documents that are taken of an owner while the process works for others too, those that are refused included. Beyond that, the
 * owner rests after its document, for eight seconds at most. All that it uses counts for the order of those who wait: a small document
 * comes before many that take the thread for long.
 */
const PACE: PaceLimits = { perSecond: MIB, burst: 2 * MIB, mostOwed: 8 * MIB, mostUsed: 8 * MIB };
/** A document also costs what its handler uses of the thread. It does not rest meanwhile (lib/platform/place-holder.ts). */
const BYTES_OF_THREAD_MS = 10 * 1024;
/** A document that waits for longer gets 503, or 429 if it waits for another one of its owner. */
export const LONGEST_WAIT_MS = 10 * SECOND_MS;
const RETRY_AFTER_SECONDS = 5;
/**
 * What a document has at most. An OpenAPI document of a MiB has 40,000 values, and one without white space that has only the shortest schemas
 * 80,000. This number takes the thread 4 ms, or 45 ms if each value is an object with a name of its own. A MiB has up to 700,000.
 */
export const MAX_VALUES = 100_000;

const COMMA = 0x2c;

const places = (bytes: number) =>
  bytes > SMALL_BYTES
    ? once('document-places', () => new FairSemaphore(DOCUMENT_PLACES, new Pace(PACE, isAlone)))
    : once('small-document-places', () => new FairSemaphore(SMALL_PLACES, new Pace(PACE, isAlone)));

/**
 * Refuses a document with more than MAX_VALUES values, without making any of them. An empty array counts as its element would.
 * @param json bytes that need not be JSON
 * @throws AppError payload_too_large
 */
export function refuseManyValues(client: ClientInfo, json: Buffer): void {
  if (!countThread(client.ownerId, () => hasManyValues(json))) return;
  const most = MAX_VALUES.toLocaleString('en-US');
  throw new AppError('payload_too_large', `The body has more than ${most} JSON values. Send it in several parts.`);
}

/** A value is the first one, or follows a comma or an opening bracket outside of strings. */
function hasManyValues(json: Buffer): boolean {
  let values = 1;
  let isInString = false;
  for (let at = 0; at < json.length && values <= MAX_VALUES; at += 1) {
    const byte = json[at] as number;
    if (isInString && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) isInString = !isInString;
    else if (!isInString && (byte === COMMA || isOpening(byte))) values += 1;
  }
  return values > MAX_VALUES;
}

/**
 * Waits for a place for a document of a request's owner, in turns with those of others.
 * @param needed returns a signal that ends the wait
 * @param bytes of the document
 * @returns a function that gives the place back
 * @throws AppError overloaded, or rate_limited while the owner has no further place; the reason of the signal
 */
export async function takeDocumentPlace(
  client: ClientInfo,
  bytes: number,
  needed: () => AbortSignal,
): Promise<() => void> {
  const tenant = client.ownerId ?? client.ipAddress ?? '';
  const release = places(bytes).tryAcquire(tenant) ?? (await wait(places(bytes), tenant, client, needed));
  const endHolding = holdPlace();
  return () => release(bytes + endHolding() * BYTES_OF_THREAD_MS);
}

async function wait(
  places: FairSemaphore,
  tenant: string,
  client: ClientInfo,
  needed: () => AbortSignal,
): Promise<Release> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), LONGEST_WAIT_MS).unref();
  const gone = client.disconnectSignal?.();
  const signals = [needed(), late.signal, ...(gone === undefined ? [] : [gone])];
  return places
    .acquire(tenant, AbortSignal.any(signals))
    .catch((error: unknown) => {
      if (isAppError(error)) throw error;
      if (gone?.aborted === true) {
        throw new AppError('invalid_request', 'The client disconnected before the body was parsed.');
      }
      throw refusal(places.hasShareLeft(tenant));
    })
    .finally(() => clearTimeout(timer));
}

function refusal(isOverloaded: boolean): AppError {
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  return isOverloaded
    ? new AppError('overloaded', 'Too many large documents are in progress. Try again shortly.', { retryAfterSeconds })
    : new AppError('rate_limited', 'Too many of your large documents are in progress. Send one at a time.', {
        retryAfterSeconds,
      });
}
