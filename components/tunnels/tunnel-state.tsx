import { Radio, Unplug } from 'lucide-react';
import { Badge } from '@/components/ui/badge';

/** Whether the client of a tunnel is connected. */
export function TunnelState({ online }: { online: boolean }) {
  return online ? (
    <Badge tone="success" icon={Radio}>
      Online
    </Badge>
  ) : (
    <Badge icon={Unplug}>Offline</Badge>
  );
}
