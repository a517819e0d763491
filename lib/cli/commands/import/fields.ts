import { CUSTOMER_UID, isCustomerUid, isUuid } from '@/lib/customers/uid-policy';
import {
  ENDPOINT_UID,
  endpointSecretFault,
  headerBytes,
  headerFault,
  MAX_DESCRIPTION_CHARS,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
  MAX_RATE_REQUESTS,
  MAX_RATE_SECONDS,
  MAX_URL_CHARS,
} from '@/lib/delivery/endpoint-fields-policy';
import { metadataFault } from '@/lib/platform/metadata-policy';
import { httpUrlFault } from '@/lib/platform/net/parse-url';
import { nameFault, textFault } from '@/lib/platform/text-policy';
import type { Notes } from './plan';
import { quoted, recordOf } from './values';

/** What makes a UUID a uid of a customer: a UUID alone would name the customer with this id. */
const UUID_PREFIX = 'uid:';

/** Returns the uid that a customer has here; null when neither its own nor its id can be one. */
export function customerUidOf(theirs: string | null, id: string, notes: Notes): string | null {
  if (theirs === null) return isCustomerUid(id) ? id : null;
  if (isCustomerUid(theirs)) return theirs;
  if (isUuid(theirs)) {
    notes.warn(`its uid is a UUID, which names customers by their ID: here it is ${UUID_PREFIX}${theirs}`);
    return `${UUID_PREFIX}${theirs}`;
  }
  if (theirs === id || !isCustomerUid(id)) return null;
  notes.lose(`its uid ${quoted(theirs)} cannot be one here: its ID is used`);
  return id;
}

/** Returns the uid that an endpoint has here; null when neither its own nor its id can be one. */
export function endpointUidOf(theirs: string | null, id: string, notes: Notes): string | null {
  if (theirs !== null && ENDPOINT_UID.test(theirs)) return theirs;
  if (!ENDPOINT_UID.test(id)) return null;
  if (theirs !== null) notes.lose(`its uid ${quoted(theirs)} cannot be one here: its ID is used`);
  return id;
}

/** Returns the uid of an endpoint whose own is taken; null when it would be too long. */
export function prefixedUidOf(customerUid: string, uid: string): string | null {
  const prefixed = `${customerUid}:${uid}`;
  return CUSTOMER_UID.test(customerUid) && ENDPOINT_UID.test(prefixed) ? prefixed : null;
}

export function takeName(value: unknown, notes: Notes): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  const fault = nameFault(value);
  if (fault === null) return value.trim();
  notes.lose(`its name is left out: it ${fault}`);
  return null;
}

export function takeDescription(value: unknown, notes: Notes): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  const fault = textFault(value, MAX_DESCRIPTION_CHARS);
  if (fault === null) return value.trim();
  notes.lose(`its description is left out: it ${fault}`);
  return null;
}

export function takeMetadata(value: unknown, notes: Notes): Record<string, string> {
  const members = Object.entries(recordOf(value) ?? {});
  const texts = members.filter((member): member is [string, string] => typeof member[1] === 'string');
  if (texts.length < members.length) notes.lose('metadata that is not text is left out');
  const metadata = Object.fromEntries(texts);
  const fault = metadataFault(metadata);
  if (fault === null) return metadata;
  notes.lose(`its metadata is left out: it ${fault}`);
  return {};
}

/** Returns the URL of an endpoint; null, with a note, when it cannot be one. */
export function takeUrl(value: unknown, notes: Notes): string | null {
  const url = typeof value === 'string' ? value.trim() : '';
  const fault = url.length > MAX_URL_CHARS ? `must have at most ${MAX_URL_CHARS} characters` : httpUrlFault(url);
  if (fault !== null) {
    notes.lose(`its URL ${fault}`);
    return null;
  }
  if (isPrivateHost(new URL(url).hostname)) {
    notes.warn('its address is private: it is reached only if this deployment allows that');
  }
  return url;
}

/** A name may lead to a private address too: the address is checked at each delivery. */
const PRIVATE_HOST =
  /^(?:localhost|.+\.localhost|127\..+|10\..+|192\.168\..+|169\.254\..+|172\.(?:1[6-9]|2\d|3[01])\..+|\[(?:::1|f[cd].*|fe[89ab].*)\])$/;
const isPrivateHost = (host: string) => PRIVATE_HOST.test(host);

/** Returns the secret of an endpoint; null, with a note, when it cannot be one. */
export function takeSecret(secret: string | null, profile: 'SVIX' | 'CUSTOM', notes: Notes): string | null {
  const fault = secret === null ? 'is missing' : endpointSecretFault(secret, { profile });
  if (fault === null) return secret;
  notes.lose(`its secret ${fault}`);
  return null;
}

const hasRoom = (taken: ReadonlyMap<string, readonly [string, string]>, header: readonly [string, string]) =>
  headerBytes(Object.fromEntries([...taken.values(), header])) <= MAX_HEADER_BYTES;

/** Returns the headers that an endpoint can have here, and notes the others. */
export function takeHeaders(given: readonly (readonly [string, unknown])[], notes: Notes): Record<string, string> {
  const taken = new Map<string, readonly [string, string]>();
  const tooMany: string[] = [];
  for (const [name, value] of given) {
    const fault = typeof value === 'string' ? headerFault(name, value) : 'must be text';
    const lower = name.toLowerCase();
    if (fault !== null) notes.lose(`the header ${quoted(name)} is left out: it ${fault}`);
    else if (taken.has(lower)) notes.lose(`the header ${quoted(name)} is left out: it is named twice`);
    else if (taken.size === MAX_HEADERS || !hasRoom(taken, [name, String(value)])) tooMany.push(name);
    else taken.set(lower, [name, String(value)]);
  }
  if (tooMany.length > 0) {
    const names = tooMany.slice(0, 5).map(quoted).join(', ');
    const more = tooMany.length > 5 ? ` and ${tooMany.length - 5} more` : '';
    notes.lose(`the headers ${names}${more} are left out: there are at most ${MAX_HEADERS}, with 4 KiB in all`);
  }
  return Object.fromEntries(taken.values());
}

/** Returns a rate limit; null, with a note, when it is beyond those that an endpoint can have. */
export function takeRateLimit(requests: number | null, seconds: number, notes: Notes) {
  if (requests === null) return null;
  if (requests <= MAX_RATE_REQUESTS && seconds <= MAX_RATE_SECONDS) return { requests, seconds };
  const most = `${MAX_RATE_REQUESTS} in ${MAX_RATE_SECONDS} s`;
  notes.lose(`its rate limit of ${requests} in ${seconds} s is left out: the most is ${most}`);
  return null;
}
