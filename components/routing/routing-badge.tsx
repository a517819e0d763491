import { CircleHelp, Filter, type LucideIcon, Minus, PauseCircle, Send, Trash2 } from 'lucide-react';
import { Badge, type Tone } from '@/components/ui/badge';
import type { RoutingOutcome } from '@/lib/delivery/routing/routing-policy';

const STYLES: Record<RoutingOutcome, { label: string; tone: Tone; icon: LucideIcon }> = {
  SENT: { label: 'Sent', tone: 'success', icon: Send },
  NOT_SUBSCRIBED: { label: 'Not subscribed', tone: 'neutral', icon: Minus },
  FILTERED: { label: 'Filtered', tone: 'neutral', icon: Filter },
  DISABLED: { label: 'Disabled', tone: 'warning', icon: PauseCircle },
  OTHER_CUSTOMER: { label: 'Other customer', tone: 'neutral', icon: Minus },
  CREATED_LATER: { label: 'Created later', tone: 'neutral', icon: Minus },
  DELETED: { label: 'Deleted', tone: 'neutral', icon: Trash2 },
  UNKNOWN: { label: 'Unknown', tone: 'neutral', icon: CircleHelp },
};

/** Whether an event went to an endpoint, or why not. */
export function RoutingBadge({ outcome }: { outcome: RoutingOutcome }) {
  const { label, tone, icon } = STYLES[outcome];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}
