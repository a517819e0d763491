'use client';

import { useEffect, useRef, useState } from 'react';
import { CODE, TextField } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { useAsyncAction } from '@/components/form/use-async-action';
import { useDisabledReason } from '@/components/projects/use-projects';
import { EVENT_TYPE_RULES, explainPattern } from '@/components/subscriptions/explain-pattern';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { InlineError } from '@/components/ui/inline-error';
import { Skeleton } from '@/components/ui/skeleton';
import type { Subscription } from '@/lib/delivery/schema';
import { type SubscriptionChoice, subscriptionChoices, TypeChoice } from './type-choice';
import { SUBSCRIPTIONS_ANCHOR, useEndpointSubscriptions, useKnownTypes } from './use-endpoints';

/** What an endpoint receives: a checkbox for each event type that was seen or is subscribed to. Changes take effect at once. */
export function EndpointSubscriptionsCard({ endpointId }: { endpointId: string }) {
  const disabledReason = useDisabledReason('subscription.manage');
  const { subscriptions, hasMore, error, add, toggle } = useEndpointSubscriptions(endpointId);
  const seen = useKnownTypes();
  const change = useAsyncAction();
  const [changing, setChanging] = useState<readonly string[]>([]);
  const onToggle = async ({ eventType, subscription, isChecked }: SubscriptionChoice<Subscription>) => {
    if (changing.includes(eventType)) return;
    setChanging((types) => [...types, eventType]);
    await change.run(() => toggle(eventType, subscription, isChecked));
    setChanging((types) => types.filter((type) => type !== eventType));
  };
  const choices =
    subscriptions === undefined || seen === undefined ? undefined : subscriptionChoices(seen, subscriptions);
  const head = useRef<HTMLDivElement>(null);
  // It loads after the rest of the page, when the browser has already looked for the anchor.
  useEffect(() => {
    if (location.hash === `#${SUBSCRIPTIONS_ANCHOR}`) head.current?.scrollIntoView();
  }, []);
  return (
    <Card title="Subscriptions" description="The events this endpoint receives. Changes take effect within a second.">
      <div ref={head} id={SUBSCRIPTIONS_ANCHOR} className="scroll-mt-36" />
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
                  <TypeChoice
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
      form.reset({ eventType: '' });
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
