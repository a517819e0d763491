'use client';

import { ChoicePills } from '@/components/form/choice-pills';
import { DialogSubmit } from '@/components/form/dialog-submit';
import { type FieldControl, useApiForm } from '@/components/form/use-api-form';
import { useNow } from '@/components/ui/clock';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { DEFAULT_GRACE_HOURS } from '@/lib/keys/grace-policy';
import type { ApiKey } from '@/lib/keys/schema';
import { ExpiryField } from './expiry-field';
import { GRACE_CHOICES, GRACE_HOURS_MESSAGE, graceHoursOf } from './grace';
import { describeRotationEnd } from './rotation-end';
import type { RotateBody } from './use-keys';

interface RotateKeyValues {
  grace: string;
  /** Hours that are typed for "Custom". */
  gracePeriodHours: string;
  expiresAt: string;
}

/** Asks how long the old key stays valid, and for the last day of the new key. */
export function RotateKeyForm({ apiKey, send }: { apiKey: ApiKey; send: (body: RotateBody) => Promise<void> }) {
  const now = useNow(1000);
  const form = useApiForm<RotateKeyValues>({
    defaultValues: { grace: String(DEFAULT_GRACE_HOURS), gracePeriodHours: '48', expiresAt: '' },
    send: ({ grace, gracePeriodHours, expiresAt }) =>
      send({
        gracePeriodHours: graceHoursOf(grace, gracePeriodHours),
        ...(expiresAt === '' ? {} : { expiresAt }),
      }),
  });
  const { grace, gracePeriodHours: typed } = form.watch();
  const hours = graceHoursOf(grace, typed);
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <GraceField
        control={form.register('grace')}
        stops={hours === null ? GRACE_HOURS_MESSAGE : describeRotationEnd(apiKey, hours, now)}
      />
      {grace === 'custom' ? (
        <Field label="Hours" error={form.fieldError('gracePeriodHours')}>
          {(control) => (
            <Input
              {...control}
              {...form.register('gracePeriodHours', {
                validate: (text) => graceHoursOf('custom', text) !== null || GRACE_HOURS_MESSAGE,
              })}
              inputMode="numeric"
              autoComplete="off"
              className="w-28"
            />
          )}
        </Field>
      ) : null}
      <ExpiryField label="New key expires" control={form.register('expiresAt')} error={form.fieldError('expiresAt')} />
      <DialogSubmit label="Rotate key" failure="We couldn’t rotate the key" error={form.error} pending={form.pending} />
    </form>
  );
}

/** How long the old key stays valid. */
function GraceField({ control, stops }: { control: FieldControl; stops: string }) {
  return <ChoicePills legend="Grace period for the old key" choices={GRACE_CHOICES} control={control} hint={stops} />;
}
