'use client';

import type { FieldControl } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { describeRetrySeconds, parseRetrySeconds } from './retry-schedule';

/** Rejects text that is not a schedule. */
export const RETRY_RULES = {
  validate: (text: string) =>
    parseRetrySeconds(text) !== null || 'Enter whole numbers of seconds above zero, separated by commas.',
};

/** The retry schedule of an endpoint or a destination. */
export function RetryField({
  text,
  control: registered,
  error,
}: {
  /** What is typed. */
  text: string;
  control: FieldControl;
  error: string | undefined;
}) {
  const schedule = parseRetrySeconds(text);
  return (
    <Field
      label="Retries"
      optional
      error={error}
      hint={
        schedule === null
          ? 'Whole seconds, separated by commas.'
          : schedule.length === 0
            ? 'Seconds before each retry, separated by commas. Leave blank for the default schedule.'
            : `Retries ${describeRetrySeconds(schedule).toLowerCase()}.`
      }
    >
      {(control) => (
        <Input {...control} {...registered} autoComplete="off" placeholder="5, 300, 1800" className="font-mono" />
      )}
    </Field>
  );
}
