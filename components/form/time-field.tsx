'use client';

import { showsUtc } from '@/components/ui/time-zone';
import { TextField, type TextFieldProps } from './form-fields';
import type { FieldName } from './use-api-form';

/** A field for a time, in the zone that the page shows times in (components/ui/time-zone.ts). */
export function TimeField<Values extends object, Name extends FieldName<Values>>(
  props: Omit<TextFieldProps<Values, Name>, 'hint'>,
) {
  return <TextField {...props} hint={showsUtc() ? 'UTC' : 'Local time'} type="datetime-local" />;
}
