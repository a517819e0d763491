'use client';

import type { UseFormRegisterReturn } from 'react-hook-form';
import { ChoicePills } from '@/components/form/choice-pills';
import { GRACE_CHOICES } from './grace';

/** How long the old key stays valid. */
export function GraceField({ control, stops }: { control: UseFormRegisterReturn; stops: string }) {
  return <ChoicePills legend="Grace period for the old key" choices={GRACE_CHOICES} control={control} hint={stops} />;
}
