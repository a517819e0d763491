'use client';

import { type FormEvent, useState } from 'react';
import type { Field as FieldRow } from '@/components/docs/api/schema/field';
import { useReader } from '@/components/docs/reader/reader-context';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';
import { buildPath, missingNames, type TypedValues } from './build-path';
import { sendTry, type TryResult } from './send-try';
import { TryParameter } from './try-parameter';
import { TryResponse } from './try-response';

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
