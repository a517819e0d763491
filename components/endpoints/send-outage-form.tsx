'use client';

import { describeDeliveries } from '@/components/bulk-retries/describe-bulk-retry';
import { useBulkRetries, useDeliveryCount } from '@/components/bulk-retries/use-bulk-retries';
import { DialogForm } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import type { OutageTarget } from './use-outages';

/** What of a target is sent: what an outage kept back, or all that waits. */
export type SentFilter = { status: 'UNDELIVERED'; from: string; to?: string } | { status: 'RETRYING' };

/** Sends the deliveries of a target that a filter selects, once their number is known. */
export function SendOutageForm({
  target: { noun, filter: ofTarget, state, enable },
  filter,
  onStarted,
}: {
  target: OutageTarget;
  filter: SentFilter;
  onStarted: () => void;
}) {
  const { start } = useBulkRetries();
  const query = { ...ofTarget, ...filter };
  const { count } = useDeliveryCount(query);
  const form = useApiForm({
    defaultValues: {},
    send: async () => {
      if (!state.enabled) await enable();
      await start(query);
      onStarted();
    },
  });
  const tooMany = count?.isExact === false;
  const isNone = count?.count === 0 && !tooMany;
  const none = filter.status === 'RETRYING' ? 'None waits.' : 'Every delivery of that time has arrived.';
  const reason = tooMany ? 'Too many deliveries to send at once. Use Recover since… with a later time.' : undefined;
  return (
    <DialogForm
      form={form}
      label={`${state.enabled ? 'Send' : 'Enable and send'} ${count === undefined ? 'deliveries' : describeDeliveries(count.count)}`}
      failure="We couldn’t send the deliveries"
      disabledReason={count === undefined ? 'Counting…' : isNone ? none : reason}
    >
      <p aria-live="polite" className="text-sm">
        {count === undefined
          ? 'Counting…'
          : isNone
            ? none
            : (reason ?? `${describeDeliveries(count.count)} will be sent again.`)}
        {state.enabled
          ? ''
          : ` The ${noun} is ${state.disabledReason === null ? 'paused' : 'disabled'}: it is enabled first.`}
      </p>
    </DialogForm>
  );
}
