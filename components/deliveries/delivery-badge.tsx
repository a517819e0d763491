import { Badge } from '@/components/ui/badge';
import type { Delivery } from '@/lib/delivery/schema';
import { DELIVERY_STATE_LABELS, deliveryStateOf } from '@/lib/events/delivery-state-policy';
import { DELIVERY_STATE_STYLES } from './delivery-state-style';

/** The state of a delivery. */
export function DeliveryBadge({ delivery }: { delivery: Pick<Delivery, 'status' | 'attemptCount'> }) {
  const state = deliveryStateOf(delivery);
  const { tone, icon } = DELIVERY_STATE_STYLES[state];
  return (
    <Badge tone={tone} icon={icon}>
      {DELIVERY_STATE_LABELS[state]}
    </Badge>
  );
}
