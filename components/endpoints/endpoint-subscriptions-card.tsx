'use client';

import { useId, useState } from 'react';
import { useApiForm } from '@/components/form/use-api-form';
import { useAsyncAction } from '@/components/form/use-async-action';
import { explainPattern } from '@/components/subscriptions/explain-pattern';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { Skeleton } from '@/components/ui/skeleton';
import { type SubscriptionChoice, subscriptionChoices } from './subscription-choices';
import { useEndpointSubscriptions } from './use-endpoint-subscriptions';
import { useSeenTypes } from './use-seen-types';

/** What an endpoint receives: a checkbox for each event type that was seen or is subscribed to. Changes take effect at once. */
export function EndpointSubscriptionsCard({
  projectId,
  endpointId,
  disabledReason,
}: {
  projectId: string;
  endpointId: string;
  disabledReason: string | undefined;
}) {
  const { subscriptions, hasMore, error, add, toggle } = useEndpointSubscriptions(projectId, endpointId);
  const seen = useSeenTypes(projectId);
  const change = useAsyncAction();
  const [changing, setChanging] = useState<readonly string[]>([]);
  const onToggle = async (choice: SubscriptionChoice) => {
    const { eventType } = choice;
    if (changing.includes(eventType)) return;
    setChanging((types) => [...types, eventType]);
    await change.run(() => toggle(choice));
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
  const [boxId, noteId] = [useId(), useId()];
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
      <span className="min-w-0 break-all font-mono text-xs">{eventType}</span>
      {eventType === '*' ? <span className="text-muted text-xs">all events</span> : null}
      {includedIn === null ? null : (
        // Described by it, so it is no part of the name.
        <span id={noteId} aria-hidden="true" className="text-muted text-xs">
          {isFixed ? 'included in' : 'also in'} {includedIn}
        </span>
      )}
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
      <Field
        label="Another type or pattern"
        className="min-w-0 flex-1"
        error={form.fieldError('eventType')}
        hint={explainPattern(form.watch('eventType'))}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('eventType', { required: 'Enter an event type.' })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="order.*"
            className="font-mono"
          />
        )}
      </Field>
      <Button type="submit" className="mt-6.5 h-9" loading={form.pending} disabledReason={disabledReason}>
        Add
      </Button>
    </form>
  );
}
