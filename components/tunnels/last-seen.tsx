import { RelativeTime } from '@/components/ui/relative-time';
import type { Tunnel } from '@/lib/tunnel/schema';

/** When the client of a tunnel was last connected. A test receiver needs none. */
export function LastSeen({ tunnel, inRow = false }: { tunnel: Tunnel; inRow?: boolean }) {
  if (tunnel.testResponse !== null) return 'Always on';
  if (tunnel.online) return 'Now';
  return tunnel.lastSeenAt === null ? 'Never' : <RelativeTime at={tunnel.lastSeenAt} inRow={inRow} />;
}
