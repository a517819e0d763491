'use client';

import { useState } from 'react';
import { recoverChoices, timeOf } from '@/components/endpoints/recover-form';
import { ChoicePills } from '@/components/form/choice-pills';
import { DialogForm } from '@/components/form/form-fields';
import { TimeField } from '@/components/form/time-field';
import { useApiForm } from '@/components/form/use-api-form';
import { Dialog } from '@/components/ui/dialog';
import { InlineError } from '@/components/ui/inline-error';
import { toTimeInput } from '@/components/ui/time-zone';
import type { Endpoint, EventReplayPreview, EventReplaySelect } from '@/lib/delivery/schema';
import { describePreview, SELECTIONS } from './describe-event-replay';
import { useEventReplayPreview, useEventReplays } from './use-event-replays';

/** Asks which events of which time are sent to an endpoint, and says how many. */
export function ReplayEventsDialog({
  open,
  onOpenChange,
  endpoint,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  endpoint: Endpoint;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Replay events"
      description="Sends stored events to this endpoint, oldest first, at most 200 per second. You can follow the progress and cancel."
    >
      <ReplayEventsForm endpoint={endpoint} onStarted={() => onOpenChange(false)} />
    </Dialog>
  );
}

const CHOICES = (Object.entries(SELECTIONS) as [EventReplaySelect, { label: string }][]).map(([value, { label }]) => ({
  value,
  label,
}));

function ReplayEventsForm({ endpoint, onStarted }: { endpoint: Endpoint; onStarted: () => void }) {
  // Fixed while the dialog is open: a start that moves with the clock would be counted again every second.
  const [choices] = useState(() => recoverChoices(endpoint, new Date()));
  const { start } = useEventReplays();
  const form = useApiForm({
    defaultValues: { select: 'MISSING' as EventReplaySelect, since: '24h', from: toTimeInput(choices[1]?.from ?? '') },
    send: async () => {
      if (wanted === null) return;
      await start(wanted);
      onStarted();
    },
  });
  const select = form.watch('select');
  const chosen = choices.find(({ value }) => value === form.watch('since'));
  const from = chosen?.from ?? timeOf(form.watch('from'));
  const wanted = from === null ? null : { endpointId: endpoint.id, from, select };
  const { preview, error } = useEventReplayPreview(wanted);
  return (
    <DialogForm
      form={form}
      label={preview === undefined ? 'Send events' : `Send ${describePreview(preview)}`}
      failure="We couldn’t replay the events"
      disabledReason={disabledReasonOf(from, preview)}
    >
      <ChoicePills
        legend="Which events"
        choices={CHOICES}
        control={form.register('select')}
        hint={`Sends ${SELECTIONS[select].sentence}.`}
      />
      <ChoicePills
        legend="Of the last, or since"
        choices={choices}
        control={form.register('since')}
        hint={from === null ? 'Enter a time.' : error ? null : hintOf(preview)}
      />
      {chosen?.from === null ? <TimeField form={form} name="from" label="From" /> : null}
      <InlineError what="We couldn’t count the events" error={preview === undefined ? error : undefined} />
    </DialogForm>
  );
}

function hintOf(preview: EventReplayPreview | undefined): string {
  if (preview === undefined) return 'Counting…';
  if (preview.count === 0 && preview.isExact) return 'There is nothing to send.';
  return `${describePreview(preview)} will be sent.`;
}

function disabledReasonOf(from: string | null, preview: EventReplayPreview | undefined): string | undefined {
  if (from === null) return 'Enter a time first.';
  return preview?.count === 0 && preview.isExact ? 'There is nothing to send.' : undefined;
}
