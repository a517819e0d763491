'use client';

import { ChoicePills } from '@/components/form/choice-pills';
import type { FieldControl } from '@/components/form/use-api-form';
import { GRACE_CHOICES } from './grace';

/** How long the old key stays valid. */
export function GraceField({ control, stops }: { control: FieldControl; stops: string }) {
  return <ChoicePills legend="Grace period for the old key" choices={GRACE_CHOICES} control={control} hint={stops} />;
}
