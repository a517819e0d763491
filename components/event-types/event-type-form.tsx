'use client';

import { WandSparkles } from 'lucide-react';
import { useState } from 'react';
import { CODE, DialogForm, TextareaField, TextField } from '@/components/form/form-fields';
import { SelectField } from '@/components/form/select-field';
import { useApiForm } from '@/components/form/use-api-form';
import { useAsyncAction } from '@/components/form/use-async-action';
import { useProjectPath } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { prettyJson } from '@/components/ui/format-json';
import { InlineError } from '@/components/ui/inline-error';
import type { CatalogueType } from '@/lib/events/schema';
import { inferSchema, type TypeValues } from './use-event-types';

const STATUSES = [
  { value: 'ACTIVE', label: 'Active' },
  { value: 'DEPRECATED', label: 'Deprecated', description: 'Still sent. Receivers should use another type.' },
] as const;

const isObjectText = (text: string) => {
  if (text.trim() === '') return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};
const objectRules = (example: string) => ({
  validate: (text: string): true | string => isObjectText(text) || `Enter a JSON object, such as ${example}.`,
});
const SCHEMA_RULES = objectRules('{"type": "object"}');
const EXAMPLE_RULES = objectRules('{"orderId": "ord_1042"}');
const NAME_RULES = { required: 'Enter the type, such as order.paid.' };

const textOf = (value: Record<string, unknown> | null | undefined) =>
  value === null || value === undefined ? '' : prettyJson(value);

/**
 * Defines an event type or changes it.
 * @param type what is known of it; one that was only sent is defined
 */
export function EventTypeForm({
  type,
  send,
}: {
  type?: CatalogueType;
  send: (values: TypeValues, shown: TypeValues) => Promise<unknown>;
}) {
  const isNew = type === undefined || type.status === 'SEEN';
  const form = useApiForm<TypeValues>({
    defaultValues: {
      name: type?.name ?? '',
      description: type?.description ?? '',
      group: type?.group ?? '',
      status: type?.status === 'DEPRECATED' ? 'DEPRECATED' : 'ACTIVE',
      schema: textOf(type?.schema),
      example: textOf(type?.example),
    },
    send,
  });
  return (
    <DialogForm
      form={form}
      label={isNew ? 'Define event type' : 'Save event type'}
      failure="We couldn’t save the event type"
    >
      {type === undefined ? (
        <TextField
          form={form}
          name="name"
          rules={NAME_RULES}
          label="Type"
          hint="What its events are sent with. It can’t be changed later."
          placeholder="order.paid"
          autoFocus
          {...CODE}
        />
      ) : null}
      <TextareaField
        form={form}
        name="description"
        label="Description"
        optional
        rows={2}
        placeholder="An order was paid in full."
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={form} name="group" label="Group" optional placeholder="Orders" />
        <SelectField form={form} name="status" label="Status" options={STATUSES} />
      </div>
      <TextareaField
        form={form}
        name="schema"
        rules={SCHEMA_RULES}
        label="Schema of data"
        optional
        hint="JSON Schema 2020-12."
        rows={8}
        control="font-mono text-xs"
      />
      {type === undefined ? null : (
        <ProposeSchema name={type.name} onProposed={(schema) => form.setValue('schema', schema)} />
      )}
      <TextareaField
        form={form}
        name="example"
        rules={EXAMPLE_RULES}
        label="Example of data"
        optional
        hint="Must satisfy the schema. People can send it to their endpoint."
        rows={6}
        control="font-mono text-xs"
      />
    </DialogForm>
  );
}

/** Fills in a schema made from the newest events. */
function ProposeSchema({ name, onProposed }: { name: string; onProposed: (schema: string) => void }) {
  const path = useProjectPath('event-types');
  const { pending, error, run } = useAsyncAction();
  const [said, setSaid] = useState('');
  const propose = () =>
    run(async () => {
      const { schema, eventCount } = await inferSchema(path, name);
      if (schema !== null) onProposed(prettyJson(schema));
      setSaid(
        schema === null
          ? 'No event of this type is stored.'
          : `Made from ${eventCount === 1 ? 'the newest event' : `the newest ${eventCount} events`}. Look through it before you save.`,
      );
    });
  return (
    <div className="-mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button size="sm" loading={pending} onClick={() => void propose()}>
        <WandSparkles aria-hidden="true" />
        Propose from events
      </Button>
      <p role="status" className="text-muted text-sm">
        {said}
      </p>
      <InlineError what="We couldn’t read the events" error={error} />
    </div>
  );
}
