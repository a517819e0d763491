import { constantTimeEqual } from '@/lib/platform/crypto';
import { keyedHash } from '@/lib/platform/keyed-hash';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';

/** The header of a forward to this service itself that names the header with the credential of its destination. */
const MARK_HEADER = 'x-eds-credential-mark';
const EVENT_HEADER = 'x-eds-incoming-event-id';

/**
 * Returns the headers of a request with a mark on its credential, so that the service does not log it when it receives its own
 * request (docs/decisions/043-what-an-attempt-keeps.md). The mark is made with a key of the deployment and is never relayed, so
 * nobody else can hide a header from the log.
 * @param credential the name of the header with the credential, in lower case
 */
export function markCredential(headers: Readonly<Record<string, string>>, credential: string): Record<string, string> {
  const proof = proofOf(credential, headers[EVENT_HEADER] ?? '');
  return { ...headers, [MARK_HEADER]: `${credential} ${proof}` };
}

/** Returns the name of the header that a received request marks as a credential, in lower case; null without a valid mark. */
export function markedCredential(headers: HeaderPairs): string | null {
  const [credential = '', proof = ''] = headerOf(headers, MARK_HEADER)?.split(' ') ?? [];
  if (proof === '') return null;
  return constantTimeEqual(proof, proofOf(credential, headerOf(headers, EVENT_HEADER) ?? '')) ? credential : null;
}

function headerOf(headers: HeaderPairs, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

function proofOf(credential: string, incomingEventId: string): string {
  return keyedHash(`${credential} ${incomingEventId}`, 'credential mark').toString('base64url');
}
