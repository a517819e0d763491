'use client';

import { useState } from 'react';
import { describeDeliveries } from '@/components/bulk-retries/describe-bulk-retry';
import { useBulkRetries, useDeliveryCount } from '@/components/bulk-retries/use-bulk-retries';
import { toLocalInput } from '@/components/events/time-window';
import { ChoicePills } from '@/components/form/choice-pills';
import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { Endpoint } from '@/lib/delivery/schema';
import { recoverChoices } from './recover-since';
import type { EndpointChange } from './use-endpoints';

/** Asks from when on failed deliveries are retried, and says how many there are. Enables the endpoint first if it must. */
export function RecoverForm({
  projectId,
  endpoint,
  update,
  onStarted,
}: {
  projectId: string;
  endpoint: Endpoint;
  update: (change: EndpointChange) => Promise<unknown>;
  onStarted: () => void;
}) {
  // Fixed while the dialog is open: a start that moves with the clock would be counted again every second.
  const [choices] = useState(() => recoverChoices(endpoint, new Date()));
  const { start } = useBulkRetries(projectId);
  const form = useApiForm({
    defaultValues: { since: '24h', from: toLocalInput(choices[1]?.from ?? undefined) },
    send: async () => {
      if (!endpoint.enabled) await update({ enabled: true });
      await start(query ?? {});
      onStarted();
    },
  });
  const chosen = choices.find(({ value }) => value === form.watch('since'));
  const from = chosen?.from ?? timeOf(form.watch('from'));
  const query = from === null ? null : { endpointId: endpoint.id, status: 'FAILED', from };
  const { count } = useDeliveryCount(projectId, query);
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <ChoicePills
        legend="Failed in the last, or since"
        choices={choices}
        control={form.register('since')}
        hint={from === null ? 'Enter a time.' : hintOf(count)}
      />
      {chosen?.from === null ? (
        <Field label="From" error={form.fieldError('from')} hint="Local time">
          {(control) => <Input {...control} {...form.register('from')} type="datetime-local" />}
        </Field>
      ) : null}
      {endpoint.enabled ? null : (
        <p className="text-sm">
          The endpoint is {endpoint.disabledReason === null ? 'paused' : 'disabled'}: it is enabled first.
        </p>
      )}
      <DialogSubmit
        label={endpoint.enabled ? 'Recover deliveries' : 'Enable and recover'}
        failure="We couldn’t recover the deliveries"
        error={form.error}
        pending={form.pending}
        disabledReason={disabledReasonOf(from, count)}
      />
    </form>
  );
}

type Count = ReturnType<typeof useDeliveryCount>['count'];

function hintOf(count: Count): string {
  if (count === undefined) return 'Counting…';
  if (count.count === 0 && count.isExact) return 'No delivery has failed since then.';
  return `${describeDeliveries(count.count)}${count.isExact ? '' : ' or more'} will be retried.`;
}

function disabledReasonOf(from: string | null, count: Count): string | undefined {
  if (from === null) return 'Enter a time first.';
  if (count?.count === 0 && count.isExact) return 'No delivery has failed since then.';
  return count?.isExact === false ? 'Too many deliveries to look through. Choose a later time.' : undefined;
}

/** Returns a local time of an input as an RFC 3339 time; null when it is not one. */
function timeOf(local: string): string | null {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
