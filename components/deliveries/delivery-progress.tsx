'use client';

import { Countdown } from '@/components/ui/countdown';
import { formatAbsolute } from '@/components/ui/format-time';
import { RelativeTime } from '@/components/ui/relative-time';
import { Tooltip } from '@/components/ui/tooltip';
import type { Delivery } from '@/lib/delivery/schema';
import { DELIVERY_STATE_LABELS } from '@/lib/events/delivery-state-policy';

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
            {DELIVERY_STATE_LABELS[delivery.status].toLowerCase()} <RelativeTime at={delivery.completedAt} />
          </>
        ) : null}
      </span>
    );
  }
  if (delivery.attemptCount === 0) return <span>Waiting for the first attempt</span>;
  return (
    <span>
      {tries} · next {delivery.nextAttemptAt === null ? 'soon' : <NextAttempt at={delivery.nextAttemptAt} />}
    </span>
  );
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
