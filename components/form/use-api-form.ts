'use client';

import { useState } from 'react';
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form';
import { ApiError } from '@/components/auth-session/api-error';

export interface ApiFormOptions<Values extends FieldValues> {
  defaultValues: DefaultValues<Values>;
  /** Sends the form. An ApiError it throws is shown at the fields it names, any other error above the button. */
  send: (values: Values) => Promise<unknown>;
}

/** A form whose errors come from the API: `errors[].path` is the name of a field. */
export function useApiForm<Values extends FieldValues>({ defaultValues, send }: ApiFormOptions<Values>) {
  const form = useForm<Values>({ defaultValues, shouldFocusError: true });
  const [error, setError] = useState<unknown>(undefined);
  const submit = form.handleSubmit(async (values) => {
    setError(undefined);
    try {
      await send(values);
    } catch (thrown) {
      const found = fieldErrors(thrown, Object.keys(form.getValues()));
      for (const [index, fieldError] of found.entries()) {
        form.setError(fieldError.name as Path<Values>, { message: fieldError.message }, { shouldFocus: index === 0 });
      }
      if (found.length === 0) setError(thrown);
    }
  });
  const fieldError = (name: Path<Values>) => form.getFieldState(name, form.formState).error?.message;
  const setSome = (change: Partial<Values>) => {
    for (const [name, value] of Object.entries(change)) form.setValue(name as Path<Values>, value);
  };
  return {
    ...form,
    /** Sets several values, for a component that edits some fields of a form. */
    setSome,
    submit: (event?: React.BaseSyntheticEvent) => {
      // An error from the API at a field that is not registered, such as a select, would block every later attempt.
      form.clearErrors();
      void submit(event);
    },
    pending: form.formState.isSubmitting,
    /** An error that belongs to no field. */
    error,
    fieldError,
  };
}

/** Returns the errors of the form's fields: `path` is a field, or inside one (`retrySeconds.3`). */
export function fieldErrors(error: unknown, names: readonly string[]): { name: string; message: string }[] {
  if (!(error instanceof ApiError)) return [];
  return error.errors.flatMap(({ path, message }) => {
    const name = names.find((candidate) => path === candidate || path.startsWith(`${candidate}.`));
    return name === undefined ? [] : [{ name, message: toSentence(message) }];
  });
}

function toSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
