'use client';

import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { TargetUrl } from '@/components/endpoints/target-url';
import { useToastAction } from '@/components/form/use-async-action';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import type { Delivery } from '@/lib/delivery/schema';
import { AttemptList } from './attempt-list';
import { DeliveryBadge, DeliveryProgress } from './delivery-state';

interface DeliveryProps {
  delivery: Delivery;
  onChanged: () => unknown;
}

interface DeliveryCardProps extends DeliveryProps {
  /** When the request arrived that brought its event. */
  receivedAt: string;
}

/** Each card loads its attempts. */
const CARDS_AT_ONCE = 20;

/** The deliveries of an event or an incoming event. */
export function DeliveryCards({
  deliveries,
  ...props
}: { deliveries: readonly Delivery[] } & Omit<DeliveryCardProps, 'delivery'>) {
  const [count, setCount] = useState(CARDS_AT_ONCE);
  return (
    <>
      {deliveries.slice(0, count).map((delivery) => (
        <DeliveryCard key={delivery.id} delivery={delivery} {...props} />
      ))}
      {deliveries.length > count ? (
        <Button className="justify-self-center" onClick={() => setCount(count + CARDS_AT_ONCE)}>
          Show more
        </Button>
      ) : null}
    </>
  );
}

/** One delivery of an event or an incoming event: its target, progress and attempts. */
function DeliveryCard({ delivery, onChanged, receivedAt }: DeliveryCardProps) {
  const href = useProjectPath(`deliveries/${delivery.id}`);
  return (
    <article className="min-w-0 overflow-hidden rounded-lg border bg-surface shadow-raised">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-3 last:border-b-0">
        <DeliveryBadge delivery={delivery} />
        <div className="min-w-0 flex-1 basis-40">
          <Link href={href} prefetch={false} className="block rounded-sm hover:underline">
            <TargetUrl url={delivery.targetUrl} className="text-sm" />
          </Link>
          <p className="text-muted text-xs">
            <DeliveryProgress delivery={delivery} />
          </p>
        </div>
        <RetryButton delivery={delivery} onChanged={onChanged} size="sm" />
      </div>
      <AttemptList delivery={delivery} receivedAt={receivedAt} />
    </article>
  );
}

/** Retries a delivery now, also one that has succeeded. */
export function RetryButton({ delivery, onChanged, size }: DeliveryProps & { size?: 'sm' }) {
  const path = useProjectPath(`deliveries/${delivery.id}/retry`);
  const disabledReason = useDisabledReason('delivery.retry');
  const { pending, run } = useToastAction('We couldn’t send the delivery again');
  const retry = async () => {
    await apiFetch(path, { method: 'POST' });
    onChanged();
  };
  return (
    <Button size={size} loading={pending} disabledReason={disabledReason} onClick={() => run(retry)}>
      <RotateCw aria-hidden="true" />
      Retry now
    </Button>
  );
}
