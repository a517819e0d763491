import { Ban, CircleCheck, ShieldAlert, ShieldCheck, ShieldOff } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Source } from '@/lib/incoming/schema';

/** Whether a source accepts requests. */
export function SourceState({ enabled }: Pick<Source, 'enabled'>) {
  return enabled ? (
    <Badge tone="success" icon={CircleCheck}>
      Enabled
    </Badge>
  ) : (
    <Badge icon={Ban}>Disabled</Badge>
  );
}

/** Whether a source verifies signatures, or why it does not. */
export function SourceVerification({ provider, hasSecret }: Pick<Source, 'provider' | 'hasSecret'>) {
  if (provider === 'NONE') return <Badge icon={ShieldOff}>No signature</Badge>;
  return hasSecret ? (
    <Badge tone="success" icon={ShieldCheck}>
      Verifies signatures
    </Badge>
  ) : (
    <Badge tone="warning" icon={ShieldAlert}>
      Secret missing
    </Badge>
  );
}
