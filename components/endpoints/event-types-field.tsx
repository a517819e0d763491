'use client';

import { CircleAlert } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { CODE } from '@/components/form/form-fields';
import { explainPattern } from '@/components/subscriptions/explain-pattern';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Skeleton } from '@/components/ui/skeleton';
import { subscriptionChoices, TypeChoice } from './type-choice';
import { useKnownTypes } from './use-endpoints';

/** Chooses the event types of a new endpoint: all, those that the project has received, and others that are typed. */
export function EventTypesField({
  chosen,
  onChange,
  error,
}: {
  chosen: readonly string[];
  onChange: (eventTypes: string[]) => void;
  error: string | undefined;
}) {
  const id = useId();
  const seen = useKnownTypes();
  // A type that was typed stays when it is unchecked.
  const [added, setAdded] = useState<readonly string[]>([]);
  const toggle = (eventType: string) =>
    onChange(chosen.includes(eventType) ? chosen.filter((type) => type !== eventType) : [...chosen, eventType]);
  const add = (eventType: string) => {
    setAdded((types) => [...new Set([...types, eventType])]);
    if (!chosen.includes(eventType)) onChange([...chosen, eventType]);
  };
  const subscriptions = [...new Set([...added, ...chosen])].map((eventType) => ({
    eventType,
    enabled: chosen.includes(eventType),
  }));
  return (
    <div className="grid gap-1.5">
      <fieldset aria-describedby={error === undefined ? `${id}-hint` : `${id}-error`} className="grid min-w-0 gap-3">
        <legend className="mb-1.5 font-medium text-sm">Event types</legend>
        {/* Its height is fixed: the types come late, and must not move what is below. */}
        <div className="h-34 overflow-y-auto rounded-lg border px-3 py-1.5">
          {seen === undefined ? (
            <Skeleton className="my-2 w-40" />
          ) : (
            <ul className="grid gap-x-6 sm:grid-cols-2">
              {subscriptionChoices(seen, subscriptions).map((choice) => (
                <li key={choice.eventType}>
                  <TypeChoice choice={choice} onToggle={() => toggle(choice.eventType)} />
                </li>
              ))}
            </ul>
          )}
        </div>
        <AddType add={add} />
      </fieldset>
      {error === undefined ? null : (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-danger-text text-sm">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          <span>{error}</span>
        </p>
      )}
      <p id={`${id}-hint`} className="text-muted text-sm">
        {chosen.length === 0 ? 'It receives nothing until you choose some, now or later.' : null}
        {chosen.length === 1 ? '1 subscription is created with it.' : null}
        {chosen.length > 1 ? `${chosen.length} subscriptions are created with it.` : null}
      </p>
    </div>
  );
}

/** Adds a type that was not seen yet, or a pattern. Enter adds it too, and does not send the form. */
function AddType({ add }: { add: (eventType: string) => void }) {
  const [typed, setTyped] = useState('');
  const submit = () => {
    if (typed.trim() === '') return;
    add(typed.trim());
    setTyped('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    submit();
  };
  const { control, ...attributes } = CODE;
  return (
    <div className="flex items-start gap-2">
      <Field label="Another type or pattern" className="min-w-0 flex-1" hint={explainPattern(typed)}>
        {(field) => (
          <Input
            {...field}
            {...attributes}
            autoComplete="off"
            placeholder="order.*"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={onKeyDown}
            className={control}
          />
        )}
      </Field>
      <Button className="mt-6.5 h-9" onClick={submit}>
        Add
      </Button>
    </div>
  );
}
