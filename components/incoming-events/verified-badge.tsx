import { ShieldCheck, ShieldOff, ShieldX } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { IncomingEvent } from '@/lib/incoming/schema';

/** Whether the signature of an incoming event was verified. */
export function VerifiedBadge({ verified }: Pick<IncomingEvent, 'verified'>) {
  if (verified === null) return <Badge icon={ShieldOff}>Unsigned</Badge>;
  return verified ? (
    <Badge tone="success" icon={ShieldCheck}>
      Verified
    </Badge>
  ) : (
    <Badge tone="danger" icon={ShieldX}>
      Unverified
    </Badge>
  );
}
