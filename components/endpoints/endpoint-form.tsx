'use client';

import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Switch } from '@/components/ui/switch';
import type { Endpoint } from '@/lib/delivery/schema';
import { RETRY_RULES, RetryField } from './retry-field';
import { parseRetrySeconds } from './retry-schedule';
import { URL_RULES, UrlField } from './url-field';
import type { EndpointBody } from './use-endpoints';

/** Creates or edits an endpoint. */
export function EndpointForm({
  endpoint,
  submitLabel,
  send,
  disabledReason,
}: {
  endpoint?: Endpoint;
  submitLabel: string;
  send: (body: EndpointBody) => Promise<unknown>;
  disabledReason?: string | undefined;
}) {
  const form = useApiForm({
    defaultValues: {
      url: endpoint?.url ?? '',
      description: endpoint?.description ?? '',
      enabled: endpoint?.enabled ?? true,
      retrySeconds: endpoint?.retrySeconds.join(', ') ?? '',
    },
    send: ({ url, description, enabled, retrySeconds }) =>
      send({
        url: url.trim(),
        description: description.trim() || null,
        enabled,
        retrySeconds: parseRetrySeconds(retrySeconds) ?? [],
      }),
  });
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <UrlField
        control={form.register('url', URL_RULES)}
        error={form.fieldError('url')}
        hint="We POST signed events to this URL."
      />
      <Field label="Description" optional error={form.fieldError('description')}>
        {(control) => <Input {...control} {...form.register('description')} autoComplete="off" />}
      </Field>
      <RetryField
        text={form.watch('retrySeconds')}
        control={form.register('retrySeconds', RETRY_RULES)}
        error={form.fieldError('retrySeconds')}
      />
      <Field label="Enabled" hint="A disabled endpoint receives no deliveries.">
        {(control) => (
          <Switch
            {...control}
            checked={form.watch('enabled')}
            onCheckedChange={(enabled) => form.setValue('enabled', enabled)}
          />
        )}
      </Field>
      <DialogSubmit
        label={submitLabel}
        failure="We couldn’t save the endpoint"
        error={form.error}
        pending={form.pending}
        disabledReason={disabledReason}
      />
    </form>
  );
}
