import { constantTimeEqual } from '@/lib/platform/crypto';
import { isId } from '@/lib/platform/ids';
import { keyedHash } from '@/lib/platform/keyed-hash';

/**
 * The header of each delivery with what it has passed through, oldest first: without it, a proxy that leads back to this service would
 * make a loop. See docs/decisions/056-loops-end.md.
 */
export const VIA_HEADER = 'x-eds-via';
/** The most hops of an event: endpoints and sources whose deliveries led to the next source. */
export const MAX_HOPS = 3;
/** Half of a SHA-256. */
const PROOF_CHARS = 22;
/** What is read of the header: ten times as much as the most hops need. It is read before anything is known of its sender. */
const MAX_VIA_CHARS = 4_096;

/** What a request has passed through. */
export interface Via {
  /** As received, oldest first. */
  hops: string[];
  /** The ids of the hops: of an event, or of a source. */
  ids: string[];
  /** The event of this deployment that began it; null when this deployment has not sent it. */
  root: string | null;
}

/** Reads the header, whose repetitions may be joined. Skips what is not a hop. A hop of an earlier version is an id alone. */
export function readVia(value: string | null | undefined): Via {
  const via: Via = { hops: [], ids: [], root: null };
  if (value === null || value === undefined) return via;
  for (const part of value.slice(0, MAX_VIA_CHARS).split(',')) {
    const hop = part.trim();
    const [id = '', root = '', proof = ''] = hop.split('.');
    if (!isId(id)) continue;
    // The request is refused for having so many, and a stranger's header may have thousands.
    if (via.hops.length > MAX_HOPS) break;
    via.hops.push(hop);
    via.ids.push(id.toLowerCase());
    if (via.root === null && proof !== '' && constantTimeEqual(proof, proofOf(id, root))) via.root = root;
  }
  return via;
}

/**
 * Returns the value of the header for a delivery: a hop is an id, the id of the event that began it all, and a proof that this deployment
 * wrote both. All that a forged or copied hop brings is a refusal.
 * @param id the event, or the source of an incoming event
 * @param own the event itself, which is the root of what it causes unless it came from a delivery
 */
export function viaHeader(id: string, own: string, before: Via): string {
  const root = before.root ?? own;
  return [...before.hops, `${id}.${root}.${proofOf(id, root)}`].join(', ');
}

function proofOf(id: string, root: string): string {
  return keyedHash(`${id} ${root}`, 'via').toString('base64url').slice(0, PROOF_CHARS);
}

/** Whether a delivery of this deployment led to a request, or so many hops that a source would refuse it. */
export function isOwnDelivery(value: string | null | undefined): boolean {
  const { hops, root } = readVia(value);
  return root !== null || hops.length > MAX_HOPS;
}

/** What a delivery adds for its receiver (docs/specification.md#deliveries). A local server that forwards it must forward its hops. */
const OF_DELIVERIES = new Set(['x-eds-source-id', 'x-eds-incoming-event-id', VIA_HEADER]);

/** Whether a header is internal: it passes facts and proofs between parts of the service. @param lower its name in lower case */
export function isInternalHeader(lower: string): boolean {
  return lower.startsWith('x-eds-') && !OF_DELIVERIES.has(lower);
}
