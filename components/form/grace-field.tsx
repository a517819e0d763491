'use client';

import { ChoicePills } from './choice-pills';
import { TextField } from './form-fields';
import { GRACE_CHOICES, type GraceValues, graceHoursOf, graceMessage } from './grace-hours';
import type { ApiForm } from './use-api-form';

/** Asks how long the old key, URL or secret works. */
export function GraceField<Values extends GraceValues>({
  form,
  what,
  maxHours,
  describeEnd,
}: {
  form: ApiForm<Values>;
  /** After "old": key, URL, secret. */
  what: string;
  maxHours: number;
  /** Says when the old one ends. */
  describeEnd: (hours: number) => string;
}) {
  const hours = graceHoursOf(form.watch(), maxHours);
  const message = graceMessage(maxHours);
  return (
    <>
      <ChoicePills
        legend={`Grace period for the old ${what}`}
        choices={GRACE_CHOICES}
        control={form.register('grace')}
        hint={hours === null ? message : describeEnd(hours)}
      />
      {form.watch('grace') === 'custom' ? (
        <TextField
          form={form}
          name="graceHours"
          rules={{ validate: (_text, values) => graceHoursOf(values, maxHours) !== null || message }}
          label="Hours"
          inputMode="numeric"
          control="w-28"
        />
      ) : null}
    </>
  );
}
