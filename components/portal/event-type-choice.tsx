'use client';

import { Plus } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { CodeBlock } from '@/components/ui/code-block';
import { prettyJson } from '@/components/ui/format-json';
import { Input } from '@/components/ui/input';
import type { EventTypeSummary } from '@/lib/events/schema';
import { usePortal } from './use-portal';
import { useEventTypes } from './use-portal-data';

const ALL = ['*'];
/** More are shown on demand, or found by typing. */
const SHOWN = 24;

/**
 * Chooses the events that an endpoint gets: all, or some of those that were sent before, and others by their name.
 * @param chosen types and patterns; `*` for all
 */
export function EventTypeChoice({
  chosen,
  onChange,
  error,
}: {
  chosen: readonly string[];
  onChange: (eventTypes: string[]) => void;
  error: string | undefined;
}) {
  const name = useId();
  const isAll = chosen.includes('*');
  // Kept for who chooses all and then some again.
  const [some, setSome] = useState<readonly string[]>(isAll ? [] : chosen);
  const changeSome = (types: string[]) => {
    setSome(types);
    onChange(types);
  };
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 font-medium text-sm">Events to send</legend>
      <Choice
        name={name}
        checked={isAll}
        onChoose={() => onChange(ALL)}
        label="All events"
        hint="Also types that are added later."
      />
      <Choice
        name={name}
        checked={!isAll}
        onChoose={() => onChange([...some])}
        label="Only some events"
        hint="Choose them by their type."
      />
      {isAll ? null : <SomeTypes chosen={chosen} onChange={changeSome} />}
      {error === undefined ? null : <p className="text-danger-text text-sm">{error}</p>}
    </fieldset>
  );
}

function Choice({
  name,
  checked,
  onChoose,
  label,
  hint,
}: {
  name: string;
  checked: boolean;
  onChoose: () => void;
  label: string;
  hint: string;
}) {
  return (
    <label className="flex cursor-pointer items-start gap-3 rounded-lg border px-4 py-3 text-sm has-checked:border-accent has-checked:bg-accent-subtle">
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={onChoose}
        className="mt-0.75 size-4 shrink-0 accent-accent"
      />
      <span className="grid">
        <span className="font-medium">{label}</span>
        <span className="text-muted">{hint}</span>
      </span>
    </label>
  );
}

function SomeTypes({ chosen, onChange }: { chosen: readonly string[]; onChange: (types: string[]) => void }) {
  const { company } = usePortal();
  const types = useEventTypes() ?? [];
  const seen = types.map(({ name }) => name);
  const hasCatalogue = types.some(({ status }) => status !== 'SEEN');
  const id = useId();
  const [typed, setTyped] = useState('');
  const [added, setAdded] = useState<readonly string[]>(chosen);
  const [showsAll, setShowsAll] = useState(false);
  const text = typed.trim();
  const known = [...new Set([...seen, ...added, ...chosen])].sort();
  const found = known.filter((type) => type.toLowerCase().includes(text.toLowerCase()));
  const shown = showsAll ? found : found.slice(0, SHOWN);
  const toggle = (type: string) =>
    onChange(chosen.includes(type) ? chosen.filter((each) => each !== type) : [...chosen, type]);
  const add = () => {
    if (text === '') return;
    setAdded([...added, text]);
    if (!chosen.includes(text)) onChange([...chosen, text]);
    setTyped('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <div className="grid gap-3 rounded-lg border px-4 py-4">
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-sm">
          Find or add an event type
        </label>
        <div className="flex gap-2">
          <Input
            id={id}
            aria-describedby={`${id}-hint`}
            value={typed}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="order.paid"
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={onKeyDown}
            className="font-mono"
          />
          {text === '' || known.includes(text) ? null : (
            <Button className="h-9" onClick={add}>
              <Plus aria-hidden="true" />
              Add
            </Button>
          )}
        </div>
        <p id={`${id}-hint`} className="text-muted text-sm">
          {seen.length === 0
            ? `No events were sent to you yet. Add types that the documentation of ${company} names, such as order.paid, or order.* for all that start with “order.”.`
            : hasCatalogue
              ? 'You can add others, and order.* for all that start with “order.”.'
              : 'These were sent to you before. You can add others, and order.* for all that start with “order.”.'}
        </p>
      </div>
      {shown.length === 0 ? null : (
        <ul className="grid gap-x-6 sm:grid-cols-2">
          {shown.map((type) => (
            <li key={type}>
              <label htmlFor={`${id}-${type}`} className="flex min-h-8 cursor-pointer items-center gap-2.5 py-1">
                <Checkbox id={`${id}-${type}`} checked={chosen.includes(type)} onChange={() => toggle(type)} />
                <span className="wrap-anywhere min-w-0 font-mono text-xs">{type}</span>
              </label>
              <AboutType type={types.find(({ name }) => name === type)} />
            </li>
          ))}
        </ul>
      )}
      {shown.length === found.length ? null : (
        <Button size="sm" className="justify-self-start" onClick={() => setShowsAll(true)}>
          Show all {found.length}
        </Button>
      )}
    </div>
  );
}

/** What the catalogue says of a type. */
function AboutType({ type }: { type: EventTypeSummary | undefined }) {
  if (type === undefined || (type.description === null && type.example === null)) return null;
  return (
    <div className="grid min-w-0 gap-1 pb-1.5 pl-6.5 text-sm">
      {type.status === 'DEPRECATED' ? <p className="text-warning-text">Deprecated: choose another one.</p> : null}
      {type.description === null ? null : (
        <p className="wrap-anywhere whitespace-pre-line text-muted">{type.description}</p>
      )}
      {type.example === null ? null : (
        <details className="min-w-0">
          <summary className="w-fit cursor-pointer text-muted">Example</summary>
          <CodeBlock
            label={`Example of ${type.name}`}
            language="json"
            code={prettyJson(type.example)}
            className="mt-1"
          />
        </details>
      )}
    </div>
  );
}
