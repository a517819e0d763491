'use client';

import { type SyntheticEvent, useState, useSyncExternalStore } from 'react';
import { ApiError } from '@/components/auth-session/api-error';
import { type FieldErrors, type FieldName, type FieldRules, FormStore } from './form-store';

export interface ApiFormOptions<Values extends object> {
  defaultValues: Values;
  /** Sends the form. An ApiError it throws is shown at the fields it names, any other error above the button. */
  send: (values: Values) => Promise<unknown>;
}

type TextElement = HTMLInputElement | HTMLTextAreaElement;

/** Connects a text control, or a group of radio buttons, to a form. Spread it on the control. */
export interface FieldControl {
  name: string;
  value: string;
  ref: (element: TextElement | null) => (() => void) | undefined;
  onChange: (event: { target: { value: string } }) => void;
}

/** A form whose errors come from the API: `errors[].path` is the name of a field. */
export function useApiForm<Values extends object>({ defaultValues, send }: ApiFormOptions<Values>) {
  const [store] = useState(() => new FormStore(defaultValues));
  const { values, errors, isDirty } = useSyncExternalStore(store.subscribe, store.getState, store.getState);
  const [error, setError] = useState<unknown>(undefined);
  const [pending, setPending] = useState(false);

  const run = async () => {
    setError(undefined);
    if (!store.validate()) return;
    setPending(true);
    try {
      await send(store.getState().values);
    } catch (thrown) {
      const found = fieldErrors(thrown, Object.keys(store.getState().values));
      const shown = Object.fromEntries(found.map(({ name, message }) => [name, message])) as FieldErrors<Values>;
      store.setErrors(shown);
      store.focusFirst(shown);
      if (found.length === 0) setError(thrown);
    } finally {
      setPending(false);
    }
  };

  const setSome = (change: Partial<Values>) => {
    for (const [name, value] of Object.entries(change)) store.change(name as FieldName<Values>, value);
  };

  function register<Name extends FieldName<Values>>(
    name: Name,
    rules: FieldRules<Values, Values[Name]> = {},
  ): FieldControl {
    return {
      name,
      value: String(values[name] ?? ''),
      ref: (element) => (element === null ? undefined : store.mount(name, { element, rules })),
      onChange: ({ target }) => {
        store.change(name, target.value);
        rules.onChange?.();
      },
    };
  }

  /** Returns the values, or one of them, for what a form shows. */
  function watch(): Values;
  function watch<Name extends FieldName<Values>>(name: Name): Values[Name];
  function watch(name?: FieldName<Values>) {
    return name === undefined ? values : values[name];
  }

  return {
    register,
    watch,
    formState: { isDirty },
    /** Returns a value at the time of the call, also in a handler that started earlier. */
    getValues: <Name extends FieldName<Values>>(name: Name): Values[Name] => store.getState().values[name],
    setValue: <Name extends FieldName<Values>>(name: Name, value: Values[Name]) => store.change(name, value),
    /** Sets several values, for a component that edits some fields of a form. */
    setSome,
    setFocus: (name: FieldName<Values>, options?: { shouldSelect?: boolean }) => store.focus(name, options),
    reset: (next: Values) => store.reset(next),
    submit: (event?: SyntheticEvent) => {
      event?.preventDefault();
      if (!pending) void run();
    },
    pending,
    /** An error that belongs to no field. */
    error,
    fieldError: (name: FieldName<Values>): string | undefined => errors[name],
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
