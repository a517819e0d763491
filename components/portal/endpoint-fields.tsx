'use client';

import type { ReactNode } from 'react';
import { type ApiForm, useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { EventTypeChoice } from './event-type-choice';

/** What a person decides of an endpoint. */
export interface EndpointValues {
  url: string;
  description: string;
  /** Types and patterns; `*` for all. */
  eventTypes: string[];
}

/** Asks for what a person decides of an endpoint. @param children further buttons */
export function EndpointForm({
  initial,
  label,
  failure,
  send,
  children,
}: {
  initial: EndpointValues;
  /** The text of the button that sends it. */
  label: string;
  failure: string;
  /** @param shown what the form showed before it was edited */
  send: (values: EndpointValues, shown: EndpointValues) => Promise<unknown>;
  children?: ReactNode;
}) {
  const form: ApiForm<EndpointValues> = useApiForm({
    defaultValues: initial,
    send: async ({ url, ...values }, shown) => {
      await send({ ...values, url: url.trim() }, shown);
      form.reset({ url: url.trim(), ...values });
    },
  });
  return (
    <form noValidate onSubmit={form.submit} className="grid min-w-0 max-w-2xl gap-6">
      <Field
        label="Endpoint URL"
        hint="We send a POST request to it for each event. It must be reachable from the internet."
        error={form.fieldError('url')}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('url', { required: 'Enter the URL.' })}
            type="url"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://example.com/webhooks"
          />
        )}
      </Field>
      <EventTypeChoice
        chosen={form.watch('eventTypes')}
        onChange={(eventTypes) => form.setValue('eventTypes', eventTypes)}
        error={form.fieldError('eventTypes')}
      />
      <Field label="Description" optional hint="What it is for, in your words." error={form.fieldError('description')}>
        {(control) => <Input {...control} {...form.register('description')} autoComplete="off" />}
      </Field>
      <InlineError what={failure} error={form.error} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={form.pending}>
          {label}
        </Button>
        {children}
      </div>
    </form>
  );
}
