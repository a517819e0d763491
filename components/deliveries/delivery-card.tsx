'use client';

import { TargetUrl } from '@/components/endpoints/target-url';
import { Link } from '@/components/ui/link';
import type { Delivery } from '@/lib/delivery/schema';
import { AttemptList } from './attempt-list';
import { DeliveryBadge } from './delivery-badge';
import { DeliveryProgress } from './delivery-progress';
import { RetryButton } from './retry-button';

/** One delivery of an event or an incoming event: its target, progress and attempts. */
export function DeliveryCard({
  projectId,
  delivery,
  onChanged,
}: {
  projectId: string;
  delivery: Delivery;
  onChanged: () => void;
}) {
  return (
    <article className="min-w-0 overflow-hidden rounded-lg border bg-surface shadow-raised">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-3 last:border-b-0">
        <DeliveryBadge delivery={delivery} />
        <div className="min-w-0 flex-1 basis-56">
          <Link
            href={`/projects/${projectId}/deliveries/${delivery.id}`}
            prefetch={false}
            className="block rounded-sm hover:underline"
          >
            <TargetUrl url={delivery.targetUrl} className="text-sm" />
          </Link>
          <p className="text-muted text-xs">
            <DeliveryProgress delivery={delivery} />
          </p>
        </div>
        <RetryButton projectId={projectId} delivery={delivery} onRetried={onChanged} size="sm" />
      </div>
      <AttemptList projectId={projectId} delivery={delivery} />
    </article>
  );
}
