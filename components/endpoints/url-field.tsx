'use client';

import type { FieldControl } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** Requires a URL. The API checks the rest. */
export const URL_RULES = { required: 'Enter the URL of the receiver.' };

/** The URL of an endpoint or a destination. */
export function UrlField({
  control: registered,
  error,
  hint,
}: {
  control: FieldControl;
  error: string | undefined;
  hint: string;
}) {
  return (
    <Field label="URL" error={error} hint={hint}>
      {(control) => (
        <Input
          {...control}
          {...registered}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.com/webhooks"
          className="font-mono"
        />
      )}
    </Field>
  );
}
