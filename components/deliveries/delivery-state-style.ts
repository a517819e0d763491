import { CircleCheck, CircleX, Clock, type LucideIcon, RotateCw } from 'lucide-react';
import type { Tone } from '@/components/ui/badge';
import type { DeliveryState } from '@/lib/events/delivery-state-policy';

/** How each state of a delivery looks. The icon repeats the meaning of the color. */
export const DELIVERY_STATE_STYLES: Record<DeliveryState, { tone: Tone; icon: LucideIcon; text: string }> = {
  QUEUED: { tone: 'accent', icon: Clock, text: 'text-accent-text' },
  RETRYING: { tone: 'warning', icon: RotateCw, text: 'text-warning-text' },
  SUCCEEDED: { tone: 'success', icon: CircleCheck, text: 'text-success-text' },
  FAILED: { tone: 'danger', icon: CircleX, text: 'text-danger-text' },
};
