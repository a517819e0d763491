import { Ban, CircleCheck } from 'lucide-react';
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
