import { CircleCheck, CircleX, Clock, type LucideIcon, RotateCw } from 'lucide-react';
import { Badge, type Tone } from '@/components/ui/badge';
import type { Delivery } from '@/lib/delivery/schema';

type BadgeStyle = { tone: Tone; icon: LucideIcon; word: string };

/** Tells a queued delivery from one that waits for a retry. */
function badgeStyleOf(delivery: Pick<Delivery, 'status' | 'attemptCount'>): BadgeStyle {
  if (delivery.status === 'SUCCEEDED') return { tone: 'success', icon: CircleCheck, word: 'Delivered' };
  if (delivery.status === 'FAILED') return { tone: 'danger', icon: CircleX, word: 'Failed' };
  return delivery.attemptCount === 0
    ? { tone: 'accent', icon: Clock, word: 'Queued' }
    : { tone: 'warning', icon: RotateCw, word: 'Retrying' };
}

export function DeliveryBadge({ delivery }: { delivery: Pick<Delivery, 'status' | 'attemptCount'> }) {
  const { tone, icon, word } = badgeStyleOf(delivery);
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
