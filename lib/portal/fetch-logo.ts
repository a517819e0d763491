import type { PersonCaller } from '@/lib/audit/caller';
import { isOwnOrigin } from '@/lib/delivery/engine/own-service';
import { deliveryPools } from '@/lib/delivery/engine/send-once';
import type { PortalLogo } from '@/lib/orgs/projects';
import { findTenant, organizationOf } from '@/lib/orgs/tenant';
import { SECOND_MS } from '@/lib/platform/clock';
import { sha256 } from '@/lib/platform/crypto';
import { AppError, fieldError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { keyedHash } from '@/lib/platform/keyed-hash';
import { type Exchange, getResource } from '@/lib/platform/net/exchange';
import { describeFailure, ExchangeError } from '@/lib/platform/net/failure-reason';
import { readVia, VIA_HEADER, viaHeader } from '@/lib/platform/net/via';
import { consumeRateLimit } from '@/lib/platform/rate-limit';
import { takeSlot } from '@/lib/platform/slots';
import manifest from '@/package.json' with { type: 'json' };

const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 5 * SECOND_MS;
const FIELD = 'portal.logoUrl';

/** Each is one connection to a server that a tenant has chosen, for as long as a fetch takes: so many that a few tenants cannot hold all. */
const SLOTS = { name: 'portal-logos', atOnce: 100, perOrganization: 1, perOwner: 2, noun: 'logo' };
const FETCHES = { name: 'portal-logo', points: 10, windowSeconds: 60 };

/**
 * Fetches the logo of a project's portal once, as strictly as a delivery to a customer's endpoint: from a public address, without
 * redirects (docs/specification.md#addresses).
 * @throws AppError validation_failed at `portal.logoUrl` that says what is wrong with it; rate_limited
 */
export async function fetchLogo(caller: PersonCaller, projectId: string, logoUrl: string): Promise<PortalLogo> {
  const { ownerId, organizationId } = await findTenant(organizationOf(caller));
  const slot = takeSlot(SLOTS, { id: projectId, organizationId, ownerId });
  try {
    const verdict = await consumeRateLimit({ ...FETCHES, key: projectId }, caller.client);
    if (!verdict.allowed) {
      const { retryAfterSeconds } = verdict;
      const detail = `The logo was fetched ${FETCHES.points} times in a minute. Try again in ${retryAfterSeconds} s.`;
      throw new AppError('rate_limited', detail, { retryAfterSeconds });
    }
    return readLogo(await request(new URL(logoUrl), ownerId), projectId);
  } finally {
    slot.release();
  }
}

async function request({ origin, pathname, search }: URL, tenant: string): Promise<Exchange> {
  if (isOwnOrigin(origin)) throw fieldError(FIELD, 'is an address of this service');
  const id = newId();
  const headers = {
    'user-agent': `EventDeliveryService/${manifest.version}`,
    accept: 'image/png, image/jpeg, image/webp',
    // Any URL may lead to this service, by a name that it does not know.
    [VIA_HEADER]: viaHeader(id, id, readVia(null)),
  };
  const message = { origin, path: pathname + search, headers, tenant, isPublicOnly: true };
  return getResource(deliveryPools(), message, { bodyLimitBytes: MAX_BYTES + 1, timeoutMs: TIMEOUT_MS });
}

function readLogo({ error, status, body }: Exchange, projectId: string): PortalLogo {
  if (error !== null) throw fieldError(FIELD, `could not be fetched: ${reasonOf(error)}`);
  if (status !== null && status >= 300 && status < 400) {
    throw fieldError(FIELD, `leads to another URL (status ${status}): use that one`);
  }
  if (status !== 200) throw fieldError(FIELD, `could not be fetched: its server answered with status ${status}`);
  if (body === null) throw fieldError(FIELD, 'is sent compressed, which was not asked for');
  if (body.length > MAX_BYTES) throw fieldError(FIELD, `is larger than ${MAX_BYTES / 1024} KiB`);
  const mediaType = mediaTypeOf(body);
  if (mediaType === null) throw fieldError(FIELD, 'is not a PNG, JPEG or WebP image');
  // With the hash of the content alone, anybody could find out whether a project here has a picture.
  const hash = keyedHash(`${projectId} ${sha256(body).toString('hex')}`, 'portal logo').toString('base64url');
  return { hash, mediaType, content: new Uint8Array(body) };
}

function reasonOf(error: Error): string {
  if (error instanceof ExchangeError && error.code === 'RESPONSE_TIMEOUT') {
    return `it did not arrive within ${TIMEOUT_MS / SECOND_MS} s`;
  }
  const reason = describeFailure(error);
  return reason.startsWith('TLS') || reason.startsWith('DNS')
    ? reason
    : reason.charAt(0).toLowerCase() + reason.slice(1);
}

/** By its first bytes: what a server says of it may be wrong, and a browser must not take it for something that runs. */
function mediaTypeOf(body: Buffer): string | null {
  const starts = (bytes: string, at = 0) => body.subarray(at, at + bytes.length).equals(Buffer.from(bytes, 'latin1'));
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  return starts('RIFF') && starts('WEBP', 8) ? 'image/webp' : null;
}
