'use client';

import { FlaskConical } from 'lucide-react';
import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
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
  makeTestUrl,
}: {
  endpoint?: Endpoint;
  submitLabel: string;
  send: (body: EndpointBody) => Promise<unknown>;
  disabledReason?: string | undefined;
  /** Creates a test receiver and returns its URL; null when it cannot be shown. */
  makeTestUrl?: () => Promise<string | null>;
}) {
  const testing = useAsyncAction();
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
      {makeTestUrl === undefined ? null : (
        <div className="grid gap-2">
          <Button
            size="sm"
            className="justify-self-start"
            loading={testing.pending}
            disabledReason={disabledReason}
            onClick={() => void testing.run(async () => form.setValue('url', (await makeTestUrl()) ?? ''))}
          >
            <FlaskConical aria-hidden="true" />
            Use a test receiver
          </Button>
          <InlineError what="We couldn’t create the test receiver" error={testing.error} />
        </div>
      )}
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
