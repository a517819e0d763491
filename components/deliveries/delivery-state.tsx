'use client';

import { CircleCheck, CircleX, Clock, type LucideIcon, RotateCw, Send } from 'lucide-react';
import useSWR from 'swr';
import { useProjectPath } from '@/components/projects/use-projects';
import { Badge, type Tone } from '@/components/ui/badge';
import { useNow } from '@/components/ui/clock';
import { Countdown } from '@/components/ui/countdown';
import { formatAbsolute, formatClock } from '@/components/ui/format-time';
import { RelativeTime } from '@/components/ui/relative-time';
import { Tooltip } from '@/components/ui/tooltip';
import type { Delivery, Endpoint } from '@/lib/delivery/schema';
import {
  DELIVERY_STATE_LABELS,
  type DeliveryState,
  deliveryStateOf,
  isSentAgain,
} from '@/lib/events/delivery-state-policy';
import { describeFirstWait } from './describe-wait';

/** How each state of a delivery looks. The icon repeats the meaning of the color. */
export const DELIVERY_STATE_STYLES: Record<DeliveryState, { tone: Tone; icon: LucideIcon; text: string }> = {
  QUEUED: { tone: 'accent', icon: Clock, text: 'text-accent-text' },
  RETRYING: { tone: 'warning', icon: RotateCw, text: 'text-warning-text' },
  SUCCEEDED: { tone: 'success', icon: CircleCheck, text: 'text-success-text' },
  FAILED: { tone: 'danger', icon: CircleX, text: 'text-danger-text' },
};

/** The state of a delivery. */
export function DeliveryBadge({ delivery }: { delivery: Pick<Delivery, 'status' | 'attemptCount' | 'lastError'> }) {
  if (isSentAgain(delivery)) {
    return (
      <Badge tone="accent" icon={Send}>
        Sending again
      </Badge>
    );
  }
  const state = deliveryStateOf(delivery);
  const { tone, icon } = DELIVERY_STATE_STYLES[state];
  return (
    <Badge tone={tone} icon={icon}>
      {DELIVERY_STATE_LABELS[state]}
    </Badge>
  );
}

const COUNTED_MS = 60 * 60_000;

/** The number of attempts of a delivery, and when the next one is due. */
export function DeliveryProgress({ delivery }: { delivery: Delivery }) {
  const tries = `${delivery.attemptCount} ${delivery.attemptCount === 1 ? 'attempt' : 'attempts'}`;
  if (delivery.status !== 'PENDING') {
    return (
      <span>
        {tries}
        {delivery.completedAt ? (
          <>
            {' · '}
            {DELIVERY_STATE_LABELS[delivery.status].toLowerCase()} <RelativeTime at={delivery.completedAt} />,{' '}
            <span className="whitespace-nowrap tabular-nums">
              {formatClock(new Date(delivery.completedAt), new Date())}
            </span>
          </>
        ) : null}
      </span>
    );
  }
  if (delivery.attemptCount === 0) return <FirstAttempt delivery={delivery} />;
  // Its next attempt is the end of the lease while it is being sent.
  if (isSentAgain(delivery)) return <span>{tries} · the next one is due now</span>;
  return (
    <span>
      {tries} · next {delivery.nextAttemptAt === null ? 'soon' : <NextAttempt at={delivery.nextAttemptAt} />}
    </span>
  );
}

/** A first attempt that takes longer has to wait for something. */
const PROMPT_MS = 3_000;

function FirstAttempt({ delivery: { endpointId, createdAt } }: { delivery: Delivery }) {
  const isLate = useNow(1000).getTime() - Date.parse(createdAt) > PROMPT_MS;
  const path = useProjectPath(`endpoints/${endpointId}`);
  const { data: endpoint } = useSWR<Endpoint>(endpointId !== null && isLate ? path : null, {
    revalidateOnFocus: false,
  });
  return <span>{describeFirstWait(endpoint?.enabled ? endpoint.rateLimit : null)}</span>;
}

function NextAttempt({ at }: { at: string }) {
  const dueMs = new Date(at).getTime();
  const leftMs = dueMs - Date.now();
  if (leftMs <= 0) return 'now';
  if (leftMs > COUNTED_MS) return <RelativeTime at={at} />;
  return (
    <Tooltip content={formatAbsolute(new Date(at))}>
      <span>
        in <Countdown until={dueMs} />
      </span>
    </Tooltip>
  );
}
