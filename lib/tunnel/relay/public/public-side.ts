import type { SharedPlaces } from '@/lib/platform/shared-places';
import type { Exchange, RelaySettings, TunnelRecords } from '@/lib/tunnel/relay/relay-types';
import type { PublicTunnel } from '@/lib/tunnel/types';

/** What serves public requests. */
export interface PublicSide {
  records: TunnelRecords;
  settings: RelaySettings;
  /** Whether tunnels have an origin that shares nothing with the dashboard. */
  isOwnOrigin: boolean;
  inFlight: SharedPlaces;
  /** Whether browsers may show responses as pages: on an origin of their own, and next to a local dashboard. */
  mayRender: boolean;
  /** Aborts when the process stops, with the error of what is still in flight. */
  stopping: AbortSignal;
  findTunnel(token: string): Promise<PublicTunnel | null>;
  exchange: Exchange;
  /** For tests. */
  times?: { responseHeadMs: number; idleMs: number };
}
