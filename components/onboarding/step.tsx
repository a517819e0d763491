import { Check, Webhook, X, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { AttemptList } from '@/components/deliveries/attempt-list';
import { DeliveryBadge, DeliveryProgress } from '@/components/deliveries/delivery-state';
import { cn } from '@/components/ui/cn';
import { LoadingLabel, Skeleton } from '@/components/ui/skeleton';
import type { Delivery } from '@/lib/delivery/schema';
import type { StepState } from './use-first-steps';

const STATE_LABELS: Record<StepState, string> = { done: ', done', current: ', current step', later: ', not started' };

/** A step of the setup guide: number, title and, while it is current, its form. */
export function Step({
  number,
  title,
  state,
  summary,
  last = false,
  open = state === 'current',
  children,
}: {
  number: number;
  title: string;
  state: StepState;
  /** Shown beside the title of a completed step. */
  summary?: ReactNode;
  last?: boolean;
  /** Shows the content; by default only in the current step. */
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <li aria-current={state === 'current' ? 'step' : undefined} className="relative flex gap-3 sm:gap-4">
      {last ? null : <span aria-hidden="true" className="absolute top-8 bottom-0 left-3.5 w-px bg-border" />}
      <span
        aria-hidden="true"
        className={cn(
          'z-10 flex size-7 shrink-0 items-center justify-center rounded-full border font-medium text-xs',
          state === 'done' && 'border-transparent bg-success-subtle text-success-text',
          state === 'current' && 'border-transparent bg-accent text-on-accent',
          state === 'later' && 'bg-surface text-muted',
        )}
      >
        {state === 'done' ? <Check className="size-4" /> : number}
      </span>
      <div className="min-w-0 flex-1 pb-7">
        <div className="flex min-h-7 flex-wrap items-center gap-x-3">
          <h2 className={cn('font-semibold text-base', state === 'later' && 'font-medium text-muted')}>
            {title}
            <span className="sr-only">{STATE_LABELS[state]}</span>
          </h2>
          {state === 'done' && summary ? <span className="min-w-0 truncate text-muted text-sm">{summary}</span> : null}
        </div>
        {open ? <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div> : null}
      </div>
    </li>
  );
}

export function FirstStepsSkeleton() {
  return (
    <div className="mx-auto max-w-3xl">
      <LoadingLabel />
      <Skeleton className="h-7 w-72 max-w-full" />
      <Skeleton className="mt-3 mb-8 w-96 max-w-full" />
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} className="mb-8 h-6 w-56" />
      ))}
    </div>
  );
}

const LINE: Record<Delivery['status'], string> = {
  PENDING: 'bg-border-strong',
  SUCCEEDED: 'bg-success-text',
  FAILED: 'bg-danger-text',
};

/** Shows a delivery live: the event on its way to the endpoint, and each attempt. */
export function DeliveryDiagram({ delivery }: { delivery: Delivery }) {
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
      <AttemptList delivery={delivery} />
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
