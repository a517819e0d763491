'use client';

import { type FormEvent, useState } from 'react';
import type { Field as FieldRow } from '@/components/docs/api/schema/field';
import { useReader } from '@/components/docs/reader/reader-context';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { Link } from '@/components/ui/link';
import { Select } from '@/components/ui/select';
import { buildPath, missingNames, type TypedValues } from './build-path';
import { MAX_SHOWN_BYTES } from './read-start';
import { sendTry, type TryResult } from './send-try';

/** Stands for "no value" in a select, whose options cannot be empty. */
const UNSET = 'unset';

/** A form of the parameters, with the reader's ids filled in, and the response below it. */
export function TryForm({ path, fields, asPerson }: { path: string; fields: readonly FieldRow[]; asPerson: boolean }) {
  const { projectId, organizationId } = useReader();
  const [typed, setTyped] = useState<TypedValues>({});
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [isSending, setIsSending] = useState(false);
  const [result, setResult] = useState<TryResult | null>(null);
  const [error, setError] = useState<unknown>(undefined);
  const values = { projectId: projectId ?? '', orgId: organizationId ?? '', ...typed };
  const inQuery = fields.filter(({ name }) => !path.includes(`{${name}}`)).map(({ name }) => name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const lacking = missingNames(path, values);
    setMissing(lacking);
    if (lacking.length > 0 || isSending) return;
    setIsSending(true);
    setError(undefined);
    try {
      setResult(await sendTry(buildPath(path, inQuery, values), asPerson));
    } catch (thrown) {
      setResult(null);
      setError(thrown);
    } finally {
      setIsSending(false);
    }
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
      <Button type="submit" variant="primary" loading={isSending} className="justify-self-start">
        Send request
      </Button>
      <InlineError what="We couldn’t send the request" error={error} />
      {result === null ? null : <TryResponse result={result} />}
    </form>
  );
}

/** The response to a request: status, time, headers and body. */
function TryResponse({ result }: { result: TryResult }) {
  const { status, durationMs, headers, text, isJson, isTruncated, problemCode } = result;
  const isProblem = status >= 400;
  return (
    <div role="status" aria-label="Response" className="grid min-w-0 gap-3">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={isProblem ? 'danger' : 'success'}>{status}</Badge>
        <span className="text-muted">in {Math.round(durationMs)} ms</span>
        {isProblem && problemCode !== null ? (
          <Link
            href={`/docs/errors#${problemCode}`}
            prefetch={false}
            className="font-mono text-accent-text text-xs hover:underline"
          >
            {problemCode}
          </Link>
        ) : null}
      </p>
      <dl className="grid gap-0.5 font-mono text-xs">
        {headers.map(({ name, value }) => (
          <div key={name} className="flex flex-wrap gap-x-2">
            <dt className="text-muted">{name}:</dt>
            <dd className="wrap-anywhere min-w-0">{value}</dd>
          </div>
        ))}
      </dl>
      {text === '' ? (
        <p className="text-muted text-sm">The response has no body.</p>
      ) : (
        <CodeBlock code={text} language={isJson ? 'json' : 'text'} label="Response body" />
      )}
      {isTruncated ? (
        <p className="text-muted text-sm">
          Only the first {MAX_SHOWN_BYTES / 1024} KiB are shown. Use the example above to get all of it.
        </p>
      ) : null}
    </div>
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
