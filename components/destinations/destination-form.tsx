'use client';

import { RETRY_RULES, RetryField } from '@/components/endpoints/retry-field';
import { parseRetrySeconds } from '@/components/endpoints/retry-schedule';
import { URL_RULES, UrlField } from '@/components/endpoints/url-field';
import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Switch } from '@/components/ui/switch';
import type { Destination, UpdateDestinationBody } from '@/lib/incoming/schema';
import { AuthFields } from './auth-fields';
import { authBodyOf, authValuesOf } from './auth-values';

/** Creates or edits a destination. The signing secret of an existing one has a dialog of its own. */
export function DestinationForm({
  destination,
  submitLabel,
  send,
}: {
  destination?: Destination;
  submitLabel: string;
  /** `signing` is given only at creation. */
  send: (body: UpdateDestinationBody & { url: string; signing?: boolean }) => Promise<unknown>;
}) {
  const form = useApiForm({
    defaultValues: {
      url: destination?.url ?? '',
      description: destination?.description ?? '',
      enabled: destination?.enabled ?? true,
      retrySeconds: destination?.retrySeconds.join(', ') ?? '',
      signing: false,
      ...authValuesOf(destination),
    },
    send: (values) => {
      const auth = authBodyOf(values);
      return send({
        url: values.url.trim(),
        description: values.description.trim() || null,
        enabled: values.enabled,
        retrySeconds: parseRetrySeconds(values.retrySeconds) ?? [],
        ...(auth === undefined ? {} : { auth }),
        ...(destination === undefined ? { signing: values.signing } : {}),
      });
    },
  });
  const values = form.watch();
  return (
    <form noValidate onSubmit={form.submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <UrlField
        control={form.register('url', URL_RULES)}
        error={form.fieldError('url')}
        hint="We forward each event to this URL unchanged."
      />
      <Field label="Description" optional error={form.fieldError('description')}>
        {(control) => <Input {...control} {...form.register('description')} autoComplete="off" />}
      </Field>
      <AuthFields
        stored={destination?.auth ?? null}
        values={values}
        onChange={form.setSome}
        error={form.fieldError('auth')}
      />
      {destination === undefined ? (
        <Field
          label="Sign deliveries"
          hint="Adds a Standard Webhooks signature, so the receiver can verify that requests come from us."
        >
          {(control) => (
            <Switch
              {...control}
              checked={values.signing}
              onCheckedChange={(signing) => form.setValue('signing', signing)}
            />
          )}
        </Field>
      ) : null}
      <RetryField
        text={values.retrySeconds}
        control={form.register('retrySeconds', RETRY_RULES)}
        error={form.fieldError('retrySeconds')}
      />
      <Field label="Enabled" hint="A disabled destination receives no events.">
        {(control) => (
          <Switch
            {...control}
            checked={values.enabled}
            onCheckedChange={(enabled) => form.setValue('enabled', enabled)}
          />
        )}
      </Field>
      <DialogSubmit
        label={submitLabel}
        failure="We couldn’t save the destination"
        error={form.error}
        pending={form.pending}
      />
    </form>
  );
}
