import type { Readable } from 'node:stream';
import { parseUrl } from '@/lib/platform/net/parse-url';
import type { SharedPlaces } from '@/lib/platform/shared-places';
import type { RequestHead, ResponseHead } from '@/lib/tunnel/protocol/heads';
import type { FoundTunnels, PublicTunnel, TunnelRequestEntry } from '@/lib/tunnel/types';
import type { OpenVisits } from './open-visits';
import { tunnelOfPeerPath } from './peer/peer-protocol';

/** How the relay reads tunnels and writes their log. */
export interface TunnelRecords {
  findPublicTunnels(tokens: readonly string[]): Promise<FoundTunnels>;
  markTunnelSeen(tunnelId: string, projectId: string): Promise<void>;
  /** Never throws, and never waits. */
  recordTunnelRequest(entry: TunnelRequestEntry): void;
  mayEnter(
    tunnel: PublicTunnel,
    visitor: { clientAddress: string; authorization: string | null | undefined },
  ): 'ok' | 'address' | 'credentials';
}

/** Where tunnels answer, and what the log keeps. */
export interface RelaySettings {
  /** Origin of the dashboard. */
  baseUrl: string;
  /** Origin of tunnels, if they have one of their own. */
  tunnelBaseUrl: string | undefined;
  /** Where other web processes reach this one. */
  peerUrl(): string;
  logBodyBytes: number;
  logHeaders: boolean;
}

/** A request on its way to a client. */
export interface RelayedRequest {
  tunnel: Pick<PublicTunnel, 'id' | 'projectId'>;
  head: RequestHead;
  /** Not read before the request is accepted. Null without a body. */
  body: Readable | null;
  /** Called with each chunk of the body, before it is sent. Returns for how many milliseconds the body is not read. */
  onChunk?(chunk: Buffer): number;
  /** Returns how many bytes of the exchange are in memory besides those on their way to and from the client. */
  heldBytes?(): number;
  /** Ends the request; its reason is the error of `exchange`. */
  signal: AbortSignal;
}

/** A request that a client or, at a test receiver, this process answers. */
export interface ExchangedRequest extends RelayedRequest {
  tunnel: Pick<PublicTunnel, 'id' | 'projectId' | 'testResponse'>;
}

/** The response of the local server. Destroying the body ends the exchange. The body fails when the client breaks off. */
export interface RelayedResponse {
  head: ResponseHead;
  body: Readable;
  /** Whether another process counted its bytes for the pace of the owner, and this one has not. */
  isFromPeer?: boolean;
}

/**
 * Sends a request to a client, or answers that of a test receiver.
 * @throws AppError tunnel_offline, tunnel_busy, tunnel_failed, rate_limited; the reason of the signal
 */
type Exchange = (request: ExchangedRequest) => Promise<RelayedResponse>;

/** What serves public requests. */
export interface PublicSide {
  records: TunnelRecords;
  settings: RelaySettings;
  /** Whether tunnels have an origin that shares nothing with the dashboard. */
  isOwnOrigin: boolean;
  inFlight: SharedPlaces;
  visits: OpenVisits;
  /** Whether browsers may show responses as pages: on an origin of their own, and next to a local dashboard. */
  mayRender: boolean;
  /** Aborts when the process stops, with the error of what is still in flight. */
  stopping: AbortSignal;
  findTunnel(token: string): Promise<PublicTunnel | null>;
  exchange: Exchange;
  /** For tests. */
  times?: { responseHeadMs: number; idleMs: number };
}

/** Where a request belongs: to a tunnel, nowhere, or to the dashboard and the API. */
export type TunnelPlace = 'tunnel' | 'nothing' | 'product';

/**
 * Returns where a request belongs. When tunnels have their own origin, they are served only there, next to nothing but the
 * health checks.
 */
export function placeOf(
  { tunnelBaseUrl }: Pick<RelaySettings, 'tunnelBaseUrl'>,
  host: string | undefined,
  pathname: string,
): TunnelPlace {
  const isTunnelPath = pathname.startsWith('/t/');
  if (tunnelBaseUrl === undefined) return isTunnelPath ? 'tunnel' : 'product';
  if (isTunnelPath && tunnelOfPeerPath(pathname) !== null) return 'tunnel';
  if (isSameHost(host, new URL(tunnelBaseUrl))) {
    if (isTunnelPath) return 'tunnel';
    return pathname.startsWith('/api/health/') ? 'product' : 'nothing';
  }
  return isTunnelPath ? 'nothing' : 'product';
}

function isSameHost(host: string | undefined, { protocol, host: expected }: URL): boolean {
  // With one of these it would be parsed as more than a host.
  return !/[@/?#\\]/.test(host ?? '') && parseUrl(`${protocol}//${host ?? ''}`)?.host === expected;
}
