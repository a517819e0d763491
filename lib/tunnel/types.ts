import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import type { TestResponse } from './schema';

/** A tunnel as the relay uses it, found by the hash of its token. */
export interface PublicTunnel {
  id: string;
  projectId: string;
  /** What public requests must present; null when the tunnel has no password. */
  basicAuth: { username: string; passwordHash: Buffer } | null;
  /** CIDR ranges that public requests may come from; empty for any. */
  allowedCidrs: readonly string[];
  /** What the service answers itself; null for a tunnel to a local server. */
  testResponse: TestResponse | null;
}

/** Tunnels by token. One that does not exist is left out, or becomes null. */
export type FoundTunnels = ReadonlyMap<string, PublicTunnel | null | Promise<PublicTunnel | null>>;

/** A body kept for replay; `bytes` is cut at the configured limit. */
export interface CapturedBody {
  bytes: Buffer;
  truncated: boolean;
}

/** One request to a tunnel as the log keeps it. */
export interface TunnelRequestEntry {
  id: string;
  tunnelId: string;
  projectId: string;
  startedAt: Date;
  method: string;
  /** Path and query below the token, starting with a slash. */
  path: string;
  /** The status that the local server or a refusal sent; null when there was neither. */
  responseStatus: number | null;
  durationMs: number;
  requestSize: number;
  responseSize: number | null;
  /** A code such as tunnel_offline or unauthenticated; null when the local server answered. */
  error: string | null;
  /** Null when they are not to be kept. */
  requestHeaders: HeaderPairs | null;
  requestBody: CapturedBody | null;
  responseHeaders: HeaderPairs | null;
  responseBody: CapturedBody | null;
  /** The request that this one repeats. */
  replayOf: string | null;
}
