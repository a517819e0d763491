'use client';

import { describeDeliveries } from '@/components/bulk-retries/describe-bulk-retry';
import { useBulkRetries, useDeliveryCount } from '@/components/bulk-retries/use-bulk-retries';
import { DialogForm } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import type { Endpoint } from '@/lib/delivery/schema';
import type { Outage } from '@/lib/stats/schema';
import type { EndpointActions } from './use-endpoints';

/** Sends the deliveries that an outage kept back, once their number is known. */
export function SendOutageForm({
  endpoint,
  outage: { from, to },
  update,
  onStarted,
}: {
  endpoint: Endpoint;
  outage: Outage;
  update: EndpointActions['update'];
  onStarted: () => void;
}) {
  const { start } = useBulkRetries();
  const query = { endpointId: endpoint.id, status: 'UNDELIVERED', from, ...(to === null ? {} : { to }) };
  const { count } = useDeliveryCount(query);
  const form = useApiForm({
    defaultValues: {},
    send: async () => {
      if (!endpoint.enabled) await update({ enabled: true });
      await start(query);
      onStarted();
    },
  });
  const tooMany = count?.isExact === false;
  const isNone = count?.count === 0 && !tooMany;
  const reason = tooMany ? 'Too many deliveries to send at once. Use Recover since… with a later time.' : undefined;
  return (
    <DialogForm
      form={form}
      label={`${endpoint.enabled ? 'Send' : 'Enable and send'} ${count === undefined ? 'deliveries' : describeDeliveries(count.count)}`}
      failure="We couldn’t send the deliveries"
      disabledReason={count === undefined ? 'Counting…' : isNone ? 'Every delivery has arrived.' : reason}
    >
      <p aria-live="polite" className="text-sm">
        {count === undefined
          ? 'Counting…'
          : isNone
            ? 'Every delivery of that time has arrived.'
            : (reason ?? `${describeDeliveries(count.count)} will be sent again.`)}
        {endpoint.enabled
          ? ''
          : ` The endpoint is ${endpoint.disabledReason === null ? 'paused' : 'disabled'}: it is enabled first.`}
      </p>
    </DialogForm>
  );
}
