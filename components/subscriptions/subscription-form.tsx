'use client';

import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { Endpoint, Subscription } from '@/lib/delivery/schema';
import { explainPattern } from './explain-pattern';

/** Creates or edits a subscription. The endpoint of an existing one cannot be changed. */
export function SubscriptionForm({
  subscription,
  endpoints,
  send,
  submitLabel,
}: {
  subscription?: Subscription;
  endpoints: Endpoint[];
  send: (values: { endpointId: string; eventType: string }) => Promise<unknown>;
  submitLabel: string;
}) {
  const form = useApiForm({
    defaultValues: {
      eventType: subscription?.eventType ?? '',
      endpointId: subscription?.endpointId ?? endpoints[0]?.id ?? '',
    },
    send: ({ eventType, endpointId }) => send({ eventType: eventType.trim(), endpointId }),
  });
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <Field label="Event type" error={form.fieldError('eventType')} hint={explainPattern(form.watch('eventType'))}>
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
      {subscription === undefined ? (
        <Field label="Endpoint" error={form.fieldError('endpointId')}>
          {(control) => (
            <Select
              {...control}
              value={form.watch('endpointId')}
              onValueChange={(value) => form.setValue('endpointId', value)}
              options={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
            />
          )}
        </Field>
      ) : null}
      <DialogSubmit
        label={submitLabel}
        failure="We couldn’t save the subscription"
        error={form.error}
        pending={form.pending}
      />
    </form>
  );
}
