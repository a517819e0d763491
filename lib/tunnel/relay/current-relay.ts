import { once, setOnce } from '@/lib/platform/globals';
import type { TunnelRelay } from './tunnel-relay';

const NAME = 'tunnel-relay';

/** Returns the relay of this process; null in a process without one. Both copies of lib/ in the web process share it. */
export function tunnelRelay(): TunnelRelay | null {
  return once<TunnelRelay | null>(NAME, () => null);
}

/** Sets the relay of this process; null removes it. */
export function setTunnelRelay(relay: TunnelRelay | null): void {
  setOnce(NAME, relay ?? undefined);
}
