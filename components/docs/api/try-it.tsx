'use client';

import { Play } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { SignInLink, useReader } from '@/components/docs/reader';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { CodeTabs } from '@/components/ui/code-tabs';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { Field as FieldRow } from './describe-fields';
import type { TryMode } from './make-reference';
import { makeSamples, type SampleRequest } from './samples';
import { buildPath, missingNames, sendTry, type TryResult, type TypedValues } from './send-try';
import { TryResponse } from './try-response';

/** Few readers send an event from here. */
const SendForm = dynamic(() => import('./send-form').then((part) => part.SendForm));

interface TryItProps {
  /** The id of the section, to return to after a sign-in. */
  anchor: string;
  mode: TryMode;
  path: string;
  /** The parameters of path and query. */
  fields: readonly FieldRow[];
}

/** Sends the call from the page, as the signed-in reader. Says what is missing where the page cannot send it. */
export function TryIt({ anchor, mode, path, fields }: TryItProps) {
  const { status } = useReader();
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  if (mode.kind === 'never') return null;
  if (mode.kind === 'other-credential') {
    return (
      <Note>{`Needs a different credential than your session: ${lowerFirst(mode.needs)}. Use the example above.`}</Note>
    );
  }
  if ((mode.kind === 'person' || mode.kind === 'send') && status !== 'signed-in') {
    if (status === 'unknown') return null;
    return (
      <Note>
        <SignInLink anchor={anchor} className="font-medium text-accent-text hover:underline">
          Sign in
        </SignInLink>{' '}
        to try this call here.
      </Note>
    );
  }
  return (
    <div className="min-w-0 rounded-lg border bg-surface">
      <div className="flex items-center justify-between gap-3 py-2 pr-2 pl-3.5">
        <p className="text-muted text-sm">{WORDS[mode.kind]}</p>
        <Button size="sm" aria-expanded={isOpen} aria-controls={panelId} onClick={() => setIsOpen(!isOpen)}>
          <Play aria-hidden="true" />
          Try it
        </Button>
      </div>
      <div id={panelId} hidden={!isOpen} data-try={isOpen || undefined}>
        {isOpen && mode.kind === 'send' ? <SendForm path={path} /> : null}
        {isOpen && mode.kind !== 'send' ? (
          <TryForm path={path} fields={fields} asPerson={mode.kind === 'person'} />
        ) : null}
      </div>
    </div>
  );
}

const WORDS = {
  person: 'Send it with your session.',
  anyone: 'Send it without a credential.',
  send: 'Send an event to your project.',
};

function Note({ children }: { children: ReactNode }) {
  return <p className="rounded-lg border border-dashed px-3.5 py-2.5 text-muted text-sm">{children}</p>;
}

/** "Operator token" → "operator token", but "API key" stays. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** Stands for "no value" in a select, whose options cannot be empty. */
const UNSET = 'unset';

/** A form of the parameters, with the reader's ids filled in, and the response below it. */
function TryForm({ path, fields, asPerson }: { path: string; fields: readonly FieldRow[]; asPerson: boolean }) {
  const { projectId, organizationId } = useReader();
  const [typed, setTyped] = useState<TypedValues>({});
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [result, setResult] = useState<TryResult | null>(null);
  const { pending, error, run } = useAsyncAction();
  const values = { projectId: projectId ?? '', orgId: organizationId ?? '', ...typed };
  const inQuery = fields.filter(({ name }) => !path.includes(`{${name}}`)).map(({ name }) => name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const lacking = missingNames(path, values);
    setMissing(lacking);
    if (lacking.length > 0 || pending) return;
    void run(async () => {
      try {
        setResult(await sendTry(buildPath(path, inQuery, values), asPerson));
      } catch (thrown) {
        setResult(null);
        throw thrown;
      }
    });
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-3 border-t px-3.5 py-3.5">
      {fields.map((field) => (
        <TryParameter
          key={field.name}
          field={field}
          value={values[field.name as keyof typeof values] ?? ''}
          isMissing={missing.includes(field.name)}
          onChange={(value) => setTyped({ ...typed, [field.name]: value })}
        />
      ))}
      <Button type="submit" variant="primary" loading={pending} className="justify-self-start">
        Send request
      </Button>
      <InlineError what="We couldn’t send the request" error={error} />
      {result === null ? null : <TryResponse result={result} />}
    </form>
  );
}

/** One parameter of the form. Values of an enumeration are chosen, others are typed. */
function TryParameter({
  field,
  value,
  isMissing,
  onChange,
}: {
  field: FieldRow;
  value: string;
  isMissing: boolean;
  onChange: (value: string) => void;
}) {
  const { name, isRequired, type, default: preset } = field;
  const values = type === 'boolean' ? ['true', 'false'] : field.values;
  return (
    <Field
      label={<code className="font-mono text-xs">{name}</code>}
      optional={!isRequired}
      error={isMissing ? 'This is part of the path, so it needs a value.' : undefined}
    >
      {(control) =>
        values.length > 0 ? (
          <Select
            {...control}
            value={value === '' ? UNSET : value}
            onValueChange={(next) => onChange(next === UNSET ? '' : next)}
            options={[{ value: UNSET, label: 'Any' }, ...values.map((each) => ({ value: each, label: each }))]}
          />
        ) : (
          <Input
            {...control}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            placeholder={preset ?? type}
            autoComplete="off"
            spellCheck={false}
            className="h-8 font-mono text-xs"
          />
        )
      }
    </Field>
  );
}

/** A request in several languages, with the reader's base URL and ids. */
export function RequestExample({ request }: { request: SampleRequest }) {
  const { baseUrl, projectId, organizationId, language, chooseLanguage } = useReader();
  const samples = useMemo(
    () => makeSamples(request, { baseUrl, ids: { projectId, orgId: organizationId, organizationId } }),
    [request, baseUrl, projectId, organizationId],
  );
  if (samples.length === 0) {
    return (
      <p className="rounded-lg border bg-surface px-4 py-3 text-muted text-sm">
        This is a WebSocket, which a client of the tunnel protocol opens.
      </p>
    );
  }
  return <CodeTabs label="Example request" samples={samples} chosen={language} onChoose={chooseLanguage} />;
}
