'use client';

import { useState } from 'react';
import { describeDeliveries } from '@/components/bulk-retries/describe-bulk-retry';
import { useBulkRetries, useDeliveryCount } from '@/components/bulk-retries/use-bulk-retries';
import { ChoicePills } from '@/components/form/choice-pills';
import { DialogForm } from '@/components/form/form-fields';
import { TimeField } from '@/components/form/time-field';
import { useApiForm } from '@/components/form/use-api-form';
import { Dialog } from '@/components/ui/dialog';
import { fromTimeInput, toTimeInput } from '@/components/ui/time-zone';
import type { OutageTarget } from './use-outages';

/**
 * Asks from when on deliveries that failed or wait for another attempt are retried, and says how many. Enables the target first if it
 * must.
 */
export function RecoverDialog({
  open,
  onOpenChange,
  target,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  target: OutageTarget;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Recover deliveries"
      description="Retries the deliveries of events from that time on that failed or wait for another attempt, oldest first."
    >
      <RecoverForm target={target} onStarted={() => onOpenChange(false)} />
    </Dialog>
  );
}

function RecoverForm({
  target: { noun, filter, state, enable },
  onStarted,
}: {
  target: OutageTarget;
  onStarted: () => void;
}) {
  // Fixed while the dialog is open: a start that moves with the clock would be counted again every second.
  const [choices] = useState(() => recoverChoices(state, new Date()));
  const { start } = useBulkRetries();
  const form = useApiForm({
    defaultValues: { since: '24h', from: toTimeInput(choices[1]?.from ?? '') },
    send: async () => {
      // An empty query means every failed delivery of the project.
      if (query === null) return;
      if (!state.enabled) await enable();
      await start(query);
      onStarted();
    },
  });
  const chosen = choices.find(({ value }) => value === form.watch('since'));
  const from = chosen?.from ?? timeOf(form.watch('from'));
  const query = from === null ? null : { ...filter, status: 'UNDELIVERED', from };
  const { count } = useDeliveryCount(query);
  return (
    <DialogForm
      form={form}
      label={state.enabled ? 'Recover deliveries' : 'Enable and recover'}
      failure="We couldn’t recover the deliveries"
      disabledReason={disabledReasonOf(from, count)}
    >
      <ChoicePills
        legend="Not delivered in the last, or since"
        choices={choices}
        control={form.register('since')}
        hint={from === null ? 'Enter a time.' : hintOf(count)}
      />
      {chosen?.from === null ? <TimeField form={form} name="from" label="From" /> : null}
      {state.enabled ? null : (
        <p className="text-sm">
          The {noun} is {state.disabledReason === null ? 'paused' : 'disabled'}: it is enabled first.
        </p>
      )}
    </DialogForm>
  );
}

type Count = ReturnType<typeof useDeliveryCount>['count'];

function hintOf(count: Count): string {
  if (count === undefined) return 'Counting…';
  if (count.count === 0 && count.isExact) return 'Every attempted delivery has succeeded since then.';
  return `${describeDeliveries(count.count)}${count.isExact ? '' : ' or more'} will be retried.`;
}

function disabledReasonOf(from: string | null, count: Count): string | undefined {
  if (from === null) return 'Enter a time first.';
  if (count?.count === 0 && count.isExact) return 'Every attempted delivery has succeeded since then.';
  return count?.isExact === false ? 'Too many deliveries to look through. Choose a later time.' : undefined;
}

/** Returns the time of a datetime-local control as an RFC 3339 time; null when it is not one. */
export function timeOf(local: string): string | null {
  const at = fromTimeInput(local);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

const HOUR_MS = 60 * 60_000;

/** From when failed deliveries can be recovered: the value of a choice, its label and its time; null for one to be entered. */
interface RecoverChoice {
  value: string;
  label: string;
  from: string | null;
}

/** Lists from when the failed deliveries of a target can be recovered. */
export function recoverChoices(
  { disabledAt, failingSince }: Pick<OutageTarget['state'], 'disabledAt' | 'failingSince'>,
  now: Date,
): RecoverChoice[] {
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS).toISOString();
  return [
    { value: '1h', label: '1 hour', from: ago(1) },
    { value: '24h', label: '24 hours', from: ago(24) },
    { value: '7d', label: '7 days', from: ago(7 * 24) },
    ...(failingSince === null ? [] : [{ value: 'failing', label: 'Since it began to fail', from: failingSince }]),
    ...(disabledAt === null ? [] : [{ value: 'disabled', label: 'Since it was disabled', from: disabledAt }]),
    { value: 'custom', label: 'Custom', from: null },
  ];
}
