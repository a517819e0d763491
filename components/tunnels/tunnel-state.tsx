import { FlaskConical, Radio, Unplug } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Tunnel } from '@/lib/tunnel/schema';
import { describeTestResponse } from './test-responses';

/** Whether the client of a tunnel is connected, or what a test receiver answers. */
export function TunnelState({ tunnel: { online, testResponse } }: { tunnel: Pick<Tunnel, 'online' | 'testResponse'> }) {
  if (testResponse !== null) {
    return (
      <Badge tone="accent" icon={FlaskConical}>
        Answers {describeTestResponse(testResponse)}
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
