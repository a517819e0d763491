'use client';

import { CODE, SwitchField, TextField } from '@/components/form/form-fields';
import type { ApiForm } from '@/components/form/use-api-form';
import { formatSpan } from '@/components/ui/format-time';
import type { Endpoint } from '@/lib/delivery/schema';
import type { EndpointBody } from './use-endpoints';

/** The form fields that endpoints and destinations share. */
export interface TargetValues {
  url: string;
  description: string;
  enabled: boolean;
  retrySeconds: string;
}

/** Returns what the form shows at first. */
export function targetValuesOf(target: Pick<Endpoint, keyof TargetValues> | undefined): TargetValues {
  return {
    url: target?.url ?? '',
    description: target?.description ?? '',
    enabled: target?.enabled ?? true,
    retrySeconds: target?.retrySeconds.join(', ') ?? '',
  };
}

/** Returns the request body for what the form has. */
export function targetBodyOf({ url, description, enabled, retrySeconds }: TargetValues): EndpointBody {
  return {
    url: url.trim(),
    description: description.trim() || null,
    retrySeconds: parseRetrySeconds(retrySeconds) ?? [],
    enabled,
  };
}

/** Requires a URL. The API checks the rest. */
export const URL_RULES = { required: 'Enter the URL of the receiver.' };

/** The URL of an endpoint or a destination. */
export function UrlField<Values extends TargetValues>({
  form,
  hint,
  autoFocus = false,
}: {
  form: ApiForm<Values>;
  hint: string;
  autoFocus?: boolean;
}) {
  return (
    <TextField
      form={form}
      name="url"
      rules={URL_RULES}
      label="URL"
      hint={hint}
      type="url"
      inputMode="url"
      spellCheck={false}
      placeholder="https://example.com/webhooks"
      autoFocus={autoFocus}
      control="font-mono"
    />
  );
}

/** The caller's own id of an endpoint. */
export function UidField<Values extends { uid: string }>({
  form,
  autoFocus = false,
}: {
  form: ApiForm<Values>;
  autoFocus?: boolean;
}) {
  return (
    <TextField
      form={form}
      name="uid"
      label="Your own ID"
      optional
      hint="Unique in the project. The API finds the endpoint by it."
      placeholder="acme-billing"
      autoFocus={autoFocus}
      {...CODE}
    />
  );
}

/** Whether an endpoint without a customer also gets the events of customers. */
export function CustomerEventsField<Values extends { receivesCustomerEvents: boolean }>({
  form,
}: {
  form: ApiForm<Values>;
}) {
  return (
    <SwitchField
      form={form}
      name="receivesCustomerEvents"
      label="Also receives customers’ events"
      hint="Otherwise an event that names a customer goes to that customer’s endpoints only."
    />
  );
}

const RETRY_RULES = {
  validate: (text: string) =>
    parseRetrySeconds(text) !== null || 'Enter whole numbers of seconds above zero, separated by commas.',
};

/** The retry schedule of an endpoint or a destination. */
export function RetryField<Values extends TargetValues>({ form }: { form: ApiForm<Values> }) {
  const schedule = parseRetrySeconds(form.watch('retrySeconds'));
  return (
    <TextField
      form={form}
      name="retrySeconds"
      rules={RETRY_RULES}
      label="Retries"
      optional
      hint={
        schedule === null
          ? 'Whole seconds, separated by commas.'
          : schedule.length === 0
            ? 'Seconds before each retry, separated by commas. Leave blank for the default schedule.'
            : `Retries ${describeRetrySeconds(schedule).toLowerCase()}.`
      }
      placeholder="5, 300, 1800"
      control="font-mono"
    />
  );
}

/** Parses "5, 300, 1800" into seconds; null when a part is not a whole number above zero. Empty text is an empty list. */
export function parseRetrySeconds(text: string): number[] | null {
  if (text.trim() === '') return [];
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const seconds = parts.map(Number);
  return seconds.every((value, index) => /^\d+$/.test(parts[index] ?? '') && value > 0) ? seconds : null;
}

/** Describes a schedule: "After 5 s, 5 min, 30 min". */
export function describeRetrySeconds(seconds: readonly number[]): string {
  return seconds.length === 0 ? 'Default schedule' : `After ${seconds.map(formatSpan).join(', ')}`;
}
