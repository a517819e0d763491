'use client';

import { useId, useState } from 'react';
import { CODE, TextField } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { useAsyncAction } from '@/components/form/use-async-action';
import { useDisabledReason } from '@/components/projects/use-projects';
import { EVENT_TYPE_RULES, explainPattern } from '@/components/subscriptions/explain-pattern';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/checkbox';
import { InlineError } from '@/components/ui/inline-error';
import { Skeleton } from '@/components/ui/skeleton';
import type { Subscription } from '@/lib/delivery/schema';
import { useEndpointSubscriptions, useSeenTypes } from './use-endpoints';

/** What an endpoint receives: a checkbox for each event type that was seen or is subscribed to. Changes take effect at once. */
export function EndpointSubscriptionsCard({ endpointId }: { endpointId: string }) {
  const disabledReason = useDisabledReason('subscription.manage');
  const { subscriptions, hasMore, error, add, toggle } = useEndpointSubscriptions(endpointId);
  const seen = useSeenTypes();
  const change = useAsyncAction();
  const [changing, setChanging] = useState<readonly string[]>([]);
  const onToggle = async ({ eventType, subscription, isChecked }: SubscriptionChoice) => {
    if (changing.includes(eventType)) return;
    setChanging((types) => [...types, eventType]);
    await change.run(() => toggle(eventType, subscription, isChecked));
    setChanging((types) => types.filter((type) => type !== eventType));
  };
  const choices =
    subscriptions === undefined || seen === undefined ? undefined : subscriptionChoices(seen, subscriptions);
  return (
    <Card title="Subscriptions" description="The events this endpoint receives. Changes take effect within a second.">
      <InlineError what="We couldn’t load the subscriptions" error={error} className="mb-3" />
      <InlineError what="We couldn’t change the subscription" error={change.error} className="mb-3" />
      {choices === undefined && !error ? <Skeleton className="h-24 w-full" /> : null}
      {choices === undefined ? null : (
        <>
          {/* Without a control that takes the focus, the keyboard could not scroll it. */}
          <fieldset
            disabled={disabledReason !== undefined}
            className={disabledReason === undefined ? 'max-h-80 overflow-y-auto' : ''}
          >
            <legend className="sr-only">Event types</legend>
            <ul className="grid gap-x-6 sm:grid-cols-2">
              {choices.map((choice) => (
                <li key={choice.eventType}>
                  <Choice
                    choice={choice}
                    isChanging={changing.includes(choice.eventType)}
                    onToggle={() => void onToggle(choice)}
                  />
                </li>
              ))}
            </ul>
          </fieldset>
          {hasMore ? <p className="mt-2 text-muted text-sm">Only the newest 100 subscriptions are shown.</p> : null}
          <AddTypeForm add={add} disabledReason={disabledReason} />
        </>
      )}
    </Card>
  );
}

function Choice({
  choice: { eventType, isChecked, isFixed, includedIn },
  isChanging,
  onToggle,
}: {
  choice: SubscriptionChoice;
  isChanging: boolean;
  onToggle: () => void;
}) {
  const boxId = useId();
  const noteId = useId();
  return (
    <label htmlFor={boxId} className="flex min-h-8 items-center gap-2.5 py-1 text-sm">
      <Checkbox
        id={boxId}
        disabled={isFixed}
        aria-describedby={includedIn === null ? undefined : noteId}
        checked={isChanging ? !isChecked || includedIn !== null : isChecked}
        onChange={onToggle}
        aria-busy={isChanging}
      />
      <span className="wrap-anywhere flex min-w-0 flex-wrap items-baseline gap-x-2.5 text-muted text-xs">
        <span className="font-mono text-text">{eventType}</span>
        {eventType === '*' ? <span>all events</span> : null}
        {includedIn === null ? null : (
          // Described by it, so it is no part of the name.
          <span id={noteId} aria-hidden="true">
            {isFixed ? 'included in' : 'also in'} {includedIn}
          </span>
        )}
      </span>
    </label>
  );
}

/** Subscribes to a type that was not seen yet, or to a pattern. */
function AddTypeForm({
  add,
  disabledReason,
}: {
  add: (eventType: string) => Promise<void>;
  disabledReason: string | undefined;
}) {
  const form = useApiForm({
    defaultValues: { eventType: '' },
    send: async ({ eventType }) => {
      await add(eventType.trim());
      form.setValue('eventType', '');
    },
  });
  return (
    <form noValidate onSubmit={form.submit} className="mt-4 flex items-start gap-2 border-t pt-4">
      <TextField
        form={form}
        name="eventType"
        rules={EVENT_TYPE_RULES}
        label="Another type or pattern"
        className="min-w-0 flex-1"
        hint={explainPattern(form.watch('eventType'))}
        placeholder="order.*"
        {...CODE}
      />
      <Button type="submit" className="mt-6.5 h-9" loading={form.pending} disabledReason={disabledReason}>
        Add
      </Button>
    </form>
  );
}

/** An event type, or a pattern, that an endpoint may receive. */
interface SubscriptionChoice {
  eventType: string;
  /** The subscription, which may be disabled; undefined without one. */
  subscription: Subscription | undefined;
  /** Whether the endpoint receives it. */
  isChecked: boolean;
  /** Whether it is received because of another pattern alone, so that it cannot be unchecked here. */
  isFixed: boolean;
  /** Another pattern that is checked and includes it; null without one. */
  includedIn: string | null;
}

/** Returns what an endpoint can receive: everything, the patterns that it has, and the types that were seen. */
export function subscriptionChoices(seenTypes: readonly string[], subscriptions: readonly Subscription[]) {
  const byType = new Map(subscriptions.map((subscription) => [subscription.eventType, subscription]));
  const active = subscriptions.filter(({ enabled }) => enabled).map(({ eventType }) => eventType);
  const types = [...new Set([...seenTypes, ...byType.keys()])].filter((type) => type !== '*').sort();
  const patterns = types.filter(isPattern);
  const exact = types.filter((type) => !isPattern(type));
  return ['*', ...patterns, ...exact].map((eventType): SubscriptionChoice => {
    const subscription = byType.get(eventType);
    const isSubscribed = subscription?.enabled === true;
    const includedIn = active.find((pattern) => pattern !== eventType && includes(pattern, eventType)) ?? null;
    const isIncluded = includedIn !== null;
    return {
      eventType,
      subscription,
      includedIn,
      isChecked: isSubscribed || isIncluded,
      isFixed: isIncluded && !isSubscribed,
    };
  });
}

/** Whether a pattern such as `order.*` matches everything that another pattern or type matches. */
function includes(pattern: string, eventType: string): boolean {
  if (pattern === '*') return true;
  return isPattern(pattern) && eventType.startsWith(pattern.slice(0, -1));
}

function isPattern(eventType: string): boolean {
  return eventType.endsWith('.*');
}
