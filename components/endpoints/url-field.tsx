'use client';

import type { UseFormRegisterReturn } from 'react-hook-form';
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
  control: UseFormRegisterReturn;
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
