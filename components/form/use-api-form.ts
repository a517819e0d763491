'use client';

import { type SyntheticEvent, useRef, useState } from 'react';
import { type FieldValues, type RegisterOptions, useForm } from 'react-hook-form';
import { ApiError } from '@/components/auth-session/api-error';
import { useUnsaved } from './unsaved';

export interface ApiFormOptions<Values extends object> {
  defaultValues: Values;
  /**
   * Sends the form. An ApiError it throws is shown at the fields it names, any other error above the button.
   * @param shown what the form showed before it was edited, to send what the person changed and nothing else
   */
  send: (values: Values, shown: Values) => Promise<unknown>;
}

/** What a field requires before the form is sent. */
export interface FieldRules<Values, Value> {
  /** Shown when the field is empty. */
  required?: string;
  /** Returns true, or what is wrong with the value. */
  validate?(value: Value, values: Values): true | string;
  onChange?: () => void;
}

export type FieldName<Values> = keyof Values & string;
type TextElement = HTMLInputElement | HTMLTextAreaElement;

/** Connects a text control, or a group of radio buttons, to a form. Spread it on the control. */
export interface FieldControl {
  name: string;
  value: string;
  ref: (element: TextElement | null) => void;
  onChange: (event: { target: unknown }) => void;
  onBlur: (event: { target: unknown }) => void;
}

/**
 * A form whose errors come from its rules, and from the API: `errors[].path` is the name of a field. Rules apply at submission,
 * and from then on at each change. While it is sent, it takes none.
 */
export function useApiForm<Values extends object>({ defaultValues, send }: ApiFormOptions<Values>) {
  const form = useForm<FieldValues>({ defaultValues });
  const { isDirty, isSubmitted, isSubmitting, errors, defaultValues: shown } = form.formState;
  const values = form.watch() as Values;
  const [error, setError] = useState<unknown>(undefined);
  const elements = useRef(new Map<string, TextElement>());
  const isSending = useRef(false);
  const [isSaved, setSaved] = useState(false);
  useUnsaved(isDirty && !isSaved, isSubmitting);

  const setValue = (name: string, value: unknown) => {
    form.clearErrors(name);
    form.setValue(name, value, { shouldDirty: true, shouldValidate: isSubmitted });
  };

  /** Changes nothing while the form is sent: the saved values, or the end of the dialog, would take the change away again. */
  const change = (name: string, value: unknown) => {
    if (isSending.current) return;
    setSaved(false);
    setValue(name, value);
  };

  const trySend = async (sent: FieldValues) => {
    try {
      await send(sent as Values, shown as Values);
      setSaved(true);
    } catch (thrown) {
      const found = fieldErrors(thrown, Object.keys(sent));
      for (const [index, { name, message }] of found.entries()) {
        form.setError(name, { message }, { shouldFocus: index === 0 });
      }
      if (found.length === 0) setError(thrown);
    }
  };

  function register<Name extends FieldName<Values>>(
    name: Name,
    rules: FieldRules<Values, Values[Name]> = {},
  ): FieldControl {
    const control = form.register(name, rules as RegisterOptions);
    return {
      ...control,
      value: String(values[name] ?? ''),
      onChange: (event) => {
        if (isSending.current) return;
        setSaved(false);
        void control.onChange(event);
      },
      ref: (element) => {
        const typed = element !== null && !elements.current.has(name) ? element.value : undefined;
        control.ref(element);
        if (element === null || element.type === 'radio') return;
        elements.current.set(name, element);
        // Typed or filled in before hydration.
        if (typed !== undefined && typed !== form.getValues(name)) setValue(name, typed);
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
    getValues: <Name extends FieldName<Values>>(name: Name): Values[Name] => form.getValues(name),
    setValue: <Name extends FieldName<Values>>(name: Name, value: Values[Name]) => change(name, value),
    /** Sets several values, for a component that edits some fields of a form. */
    setSome: (some: Partial<Values>) => {
      for (const [name, value] of Object.entries(some)) change(name, value);
    },
    setFocus: (name: FieldName<Values>, options: { shouldSelect?: boolean } = {}) => form.setFocus(name, options),
    reset: (next: Values) => form.reset(next),
    submit: (event?: SyntheticEvent) => {
      event?.preventDefault();
      if (isSending.current) return;
      isSending.current = true;
      setSaved(false);
      setError(undefined);
      form.clearErrors();
      // A password manager may fill in a field without an event.
      for (const [name, element] of elements.current) {
        if (element.isConnected && element.value !== form.getValues(name)) form.setValue(name, element.value);
      }
      void form
        .handleSubmit(trySend)()
        .finally(() => {
          isSending.current = false;
        });
    },
    pending: isSubmitting,
    /** An error that belongs to no field. */
    error,
    fieldError: (name: FieldName<Values>): string | undefined => errors[name]?.message as string | undefined,
  };
}

export type ApiForm<Values extends object> = ReturnType<typeof useApiForm<Values>>;

/** Returns the errors of the form's fields, in their order: `path` is a field, or inside one (`retrySeconds.3`). */
export function fieldErrors(error: unknown, names: readonly string[]): { name: string; message: string }[] {
  if (!(error instanceof ApiError)) return [];
  return names.flatMap((name) => {
    const found = error.errors.find(({ path }) => path === name || path.startsWith(`${name}.`));
    return found === undefined ? [] : [{ name, message: toSentence(found.message) }];
  });
}

function toSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
