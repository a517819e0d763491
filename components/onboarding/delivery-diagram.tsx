'use client';

import { Check, Webhook, X, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { AttemptList } from '@/components/deliveries/attempt-list';
import { DeliveryBadge } from '@/components/deliveries/delivery-badge';
import { DeliveryProgress } from '@/components/deliveries/delivery-progress';
import { cn } from '@/components/ui/cn';
import type { Delivery } from '@/lib/delivery/schema';

const LINE: Record<Delivery['status'], string> = {
  PENDING: 'bg-border-strong',
  SUCCEEDED: 'bg-success-text',
  FAILED: 'bg-danger-text',
};

/** Shows a delivery live: the event on its way to the endpoint, and each attempt. */
export function DeliveryDiagram({ projectId, delivery }: { projectId: string; delivery: Delivery }) {
  return (
    <div className="overflow-hidden rounded-lg border bg-surface shadow-raised">
      <div className="flex items-center gap-3 px-4 pt-5 pb-2 sm:px-8">
        <Node icon={<Zap />} label={delivery.eventType ?? 'event'} />
        <div aria-hidden="true" className="relative mb-6 h-px min-w-6 flex-1">
          <span className={cn('absolute inset-0', LINE[delivery.status])} />
          {delivery.status === 'PENDING' ? (
            <span className="absolute -top-1 size-2 -translate-x-1 animate-travel rounded-full bg-accent-text" />
          ) : (
            <span
              className={cn(
                'absolute -top-2.5 left-1/2 flex size-5 -translate-x-1/2 items-center justify-center rounded-full text-surface',
                LINE[delivery.status],
              )}
            >
              {delivery.status === 'SUCCEEDED' ? <Check className="size-3.5" /> : <X className="size-3.5" />}
            </span>
          )}
        </div>
        <Node icon={<Webhook />} label={delivery.targetUrl} />
      </div>
      <p
        role="status"
        className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b px-4 pb-4 text-muted text-sm last:border-b-0"
      >
        <DeliveryBadge delivery={delivery} />
        <DeliveryProgress delivery={delivery} />
      </p>
      <AttemptList projectId={projectId} delivery={delivery} />
    </div>
  );
}

function Node({ icon, label }: { icon: ReactNode; label: string }) {
  return (
    <div className="flex min-w-0 max-w-[40%] flex-col items-center gap-1.5">
      <span
        aria-hidden="true"
        className="flex size-9 items-center justify-center rounded-lg border bg-sunken [&>svg]:size-4 [&>svg]:text-muted"
      >
        {icon}
      </span>
      <span className="max-w-full truncate font-mono text-xs" title={label}>
        {label}
      </span>
    </div>
  );
}
