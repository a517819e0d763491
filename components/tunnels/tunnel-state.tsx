import { FlaskConical, Radio, Unplug } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Tunnel } from '@/lib/tunnel/schema';

/** Whether the client of a tunnel is connected. A test receiver has none, and is always ready. */
export function TunnelState({ tunnel: { online, testResponse } }: { tunnel: Pick<Tunnel, 'online' | 'testResponse'> }) {
  if (testResponse !== null) {
    return (
      <Badge tone="success" icon={FlaskConical}>
        Ready
      </Badge>
    );
  }
  return online ? (
    <Badge tone="success" icon={Radio}>
      Online
    </Badge>
  ) : (
    <Badge icon={Unplug}>Offline</Badge>
  );
}
