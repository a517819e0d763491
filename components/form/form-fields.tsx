'use client';

import type { ComponentProps, ReactNode, SyntheticEvent } from 'react';
import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/dialog';
import { Field, type FieldProps } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input, Textarea } from '@/components/ui/input';
import { Switch } from '@/components/ui/switch';
import type { ApiForm, FieldName, FieldRules } from './use-api-form';

export type FormField<Values extends object, Name> = Omit<FieldProps, 'children' | 'error'> & {
  form: ApiForm<Values>;
  name: Name;
};

export type TextFieldProps<Values extends object, Name extends FieldName<Values>> = FormField<Values, Name> & {
  rules?: FieldRules<Values, Values[Name]>;
  /** The class of the control. */
  control?: string;
};

/** Attributes of a control for text that a program reads, such as a pattern or a secret. */
export const CODE = { autoCapitalize: 'none', spellCheck: false, control: 'font-mono' } as const;

/** A text field of a form. Other attributes go to the input. */
export function TextField<Values extends object, Name extends FieldName<Values>>({
  form,
  name,
  rules,
  label,
  hint,
  optional = false,
  className = '',
  control: controlClass,
  ...input
}: TextFieldProps<Values, Name> & Omit<ComponentProps<'input'>, 'form' | 'name' | 'className'>) {
  const field = { label, hint, optional, className };
  return (
    <Field {...field} error={form.fieldError(name)}>
      {(control) => (
        <Input autoComplete="off" {...control} {...form.register(name, rules)} {...input} className={controlClass} />
      )}
    </Field>
  );
}

/** A text field with several lines. */
export function TextareaField<Values extends object, Name extends FieldName<Values>>({
  form,
  name,
  rules,
  rows,
  placeholder,
  control: controlClass,
  ...field
}: TextFieldProps<Values, Name> & Pick<ComponentProps<'textarea'>, 'rows' | 'placeholder'>) {
  const input = { rows, placeholder, spellCheck: false, className: controlClass };
  return (
    <Field {...field} error={form.fieldError(name)}>
      {(control) => <Textarea {...control} {...form.register(name, rules)} {...input} />}
    </Field>
  );
}

/** A field of a form that is on or off. */
export function SwitchField<Values extends object, Name extends FieldName<Values>>({
  form,
  name,
  ...field
}: FormField<Values, Name>) {
  return (
    <Field {...field}>
      {(control) => (
        <Switch
          {...control}
          checked={form.watch(name) === true}
          onCheckedChange={(checked) => form.setValue(name, checked as Values[Name])}
        />
      )}
    </Field>
  );
}

/** A form in a dialog: its fields, the error of the last attempt, and the button that sends it. */
export function DialogForm({
  form,
  label,
  failure,
  disabledReason,
  children,
}: {
  form: { submit: (event: SyntheticEvent) => void; error: unknown; pending: boolean };
  /** The text of the button. */
  label: string;
  /** What failed: "We couldn’t create the key". */
  failure: string;
  disabledReason?: string | undefined;
  children: ReactNode;
}) {
  return (
    <form noValidate onSubmit={form.submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {children}
      <InlineError what={failure} error={form.error} />
      <DialogActions>
        <Button type="submit" variant="primary" loading={form.pending} disabledReason={disabledReason}>
          {label}
        </Button>
      </DialogActions>
    </form>
  );
}
