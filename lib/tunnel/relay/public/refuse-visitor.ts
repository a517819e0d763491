import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@/lib/platform/errors';
import { bodyTooLarge } from '@/lib/tunnel/relay/errors';
import { MAX_REQUEST_BYTES } from '@/lib/tunnel/relay/limits';
import type { TunnelRecords } from '@/lib/tunnel/relay/relay-types';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { basicChallenge } from './basic-challenge';

interface VisitorRules {
  /** `/t/` and the token. */
  prefix: string;
  clientAddress: string;
  mayEnter: TunnelRecords['mayEnter'];
  isOwnOrigin: boolean;
}

/**
 * Refuses a public request before it is relayed.
 * @throws AppError forbidden for an address that is not allowed; unauthenticated; payload_too_large
 */
export function refuseVisitor(tunnel: PublicTunnel, headers: IncomingHttpHeaders, rules: VisitorRules): void {
  const { clientAddress, mayEnter, isOwnOrigin, prefix } = rules;
  const result = mayEnter(tunnel, { clientAddress, authorization: headers.authorization });
  if (result === 'address') throw new AppError('forbidden', 'Your IP address isn’t allowed to use this tunnel.');
  if (result === 'credentials') {
    throw new AppError('unauthenticated', 'This tunnel requires a username and password.', {
      headers: { 'WWW-Authenticate': basicChallenge(prefix) },
    });
  }
  // A service worker would stay in the dashboard's origin.
  if (!isOwnOrigin && headers['service-worker'] !== undefined) {
    throw new AppError('forbidden', 'A tunnel on the dashboard’s origin can’t serve a service worker.');
  }
  if (Number(headers['content-length'] ?? 0) > MAX_REQUEST_BYTES) throw bodyTooLarge(MAX_REQUEST_BYTES);
}
