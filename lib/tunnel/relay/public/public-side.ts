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
  /** Aborts when the process stops, with the error of what is still in flight. */
  stopping: AbortSignal;
  findTunnel(token: string): Promise<PublicTunnel | null>;
  exchange: Exchange;
  /** For tests. */
  times?: { responseHeadMs: number; idleMs: number };
}
