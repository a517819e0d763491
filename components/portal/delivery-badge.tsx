import { CircleCheck, CircleX, Clock, type LucideIcon, RotateCw } from 'lucide-react';
import { Badge, type Tone } from '@/components/ui/badge';
import type { PortalDelivery } from '@/lib/portal/schema';
import { describeDelivery } from './describe-delivery';

const ICONS: Record<Tone, LucideIcon> = {
  neutral: Clock,
  accent: Clock,
  success: CircleCheck,
  warning: RotateCw,
  danger: CircleX,
};

/** The state of a delivery in a word. */
export function DeliveryBadge({
  delivery,
}: {
  delivery: Pick<PortalDelivery, 'status' | 'attemptCount' | 'lastError'>;
}) {
  const { tone, word } = describeDelivery(delivery);
  return (
    <Badge tone={tone} icon={ICONS[tone]}>
      {word}
    </Badge>
  );
}
