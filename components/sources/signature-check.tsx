import { ShieldAlert, ShieldCheck, ShieldOff } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Source } from '@/lib/incoming/schema';

/** Whether a source checks signatures, or what it needs for that. */
export function SignatureCheck({ provider, hasSecret }: Pick<Source, 'provider' | 'hasSecret'>) {
  if (provider === 'NONE') return <Badge icon={ShieldOff}>Off</Badge>;
  return hasSecret ? (
    <Badge tone="success" icon={ShieldCheck}>
      On
    </Badge>
  ) : (
    <Badge tone="warning" icon={ShieldAlert}>
      Secret missing
    </Badge>
  );
}
