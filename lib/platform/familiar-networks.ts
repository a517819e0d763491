import { LRUCache } from 'lru-cache';
import { once } from './globals';
import type { SlotTenant } from './tenant-semaphore';

/** About 150 bytes each. The one that was noted longest ago is forgotten. */
const MAX_NETWORKS = 20_000;
/** Failed sign-ins since the last one that succeeded, after which a network is like any other. */
const MAX_FAILURES = 5;

/** The failed sign-ins of networks where people have signed in, since then. */
const networks = () =>
  once('familiar-networks', () => new LRUCache<string, { failures: number }>({ max: MAX_NETWORKS }));

/** Notes that somebody has signed in from a network (./net/client-network.ts, `clientSite`). */
export function noteSignedIn(network: string): void {
  networks().set(network, { failures: 0 });
}

/** Notes that somebody has signed in from a network at some time. What has failed there since then counts. */
export function noteFormerSignIn(network: string): void {
  if (networks().peek(network) === undefined) noteSignedIn(network);
}

/** Notes that a sign-in from a network has failed. */
export function noteFailedSignIn(network: string): void {
  const known = networks().peek(network);
  if (known !== undefined) known.failures += 1;
}

/** Whether people sign in from a network: beside a flood from thousands of others, their requests come first. */
export function isFamiliar(network: string): boolean {
  const known = networks().peek(network);
  return known !== undefined && known.failures < MAX_FAILURES;
}

/** Returns whose turn a request takes that has no valid credential. */
export const strangerFrom = (network: string): SlotTenant => ({
  tenant: network,
  isStranger: true,
  isFamiliar: isFamiliar(network),
});
