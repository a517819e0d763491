'use client';

import { SearchCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { TextareaField, TextField } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { TextLink } from '@/components/ui/link';
import { fromTimeInput, showsUtc } from '@/components/ui/time-zone';
import type { SignatureCheck, VerifySignatureBody } from '@/lib/delivery/schema';
import { SignatureResult } from './signature-result';

/** String.fromCharCode takes no more arguments than this safely. */
const CHUNK_BYTES = 8_192;

/** Takes the headers and the body of a request, as text or as a file, and shows what a check of its signature found. */
export function CheckSignatureForm({
  guide,
  verified,
  send,
}: {
  /** Path of the part of a guide about this. */
  guide: string;
  /** What it means that a request verifies here. */
  verified: string;
  send: (body: VerifySignatureBody) => Promise<SignatureCheck>;
}) {
  const [result, setResult] = useState<SignatureCheck | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const form = useApiForm({
    defaultValues: { headers: '', body: '', receivedAt: '' },
    send: async ({ headers, body, receivedAt }) => {
      setResult(null);
      const bytes = file === null ? new TextEncoder().encode(body) : new Uint8Array(await file.arrayBuffer());
      const at = fromTimeInput(receivedAt);
      const known = Number.isNaN(at.getTime()) ? {} : { receivedAt: at };
      setResult(await send({ headers, bodyBase64: toBase64(bytes), ...known }));
    },
  });
  const removeFile = () => {
    setFile(null);
    if (chooser.current !== null) chooser.current.value = '';
  };
  return (
    <>
      <form noValidate onSubmit={form.submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <TextareaField
          form={form}
          name="headers"
          rules={{ required: 'Paste the headers of the request.' }}
          label="Headers as received"
          hint="One per line, or as JSON. Only those of the signature matter."
          rows={4}
          control="font-mono text-xs"
        />
        <TextareaField
          form={form}
          name="body"
          label="Raw body as received"
          hint={
            file === null
              ? 'A text field may change line breaks. A file keeps every byte.'
              : `The body is read from ${file.name}.`
          }
          rows={4}
          control="font-mono text-xs"
        />
        <Field label="Body from a file" optional>
          {(control) => (
            <div className="flex flex-wrap items-center gap-2">
              <Input
                {...control}
                ref={chooser}
                type="file"
                onChange={({ target }) => setFile(target.files?.[0] ?? null)}
                className="h-auto max-w-md flex-1 py-1.5"
              />
              {file === null ? null : (
                <Button size="sm" onClick={removeFile}>
                  Remove file
                </Button>
              )}
            </div>
          )}
        </Field>
        <TextField
          form={form}
          name="receivedAt"
          label="Received at"
          optional
          hint={`The signed time is compared with it, and otherwise with now. ${showsUtc() ? 'In UTC.' : 'In local time.'}`}
          type="datetime-local"
          step={1}
          control="max-w-60"
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" loading={form.pending}>
            <SearchCheck aria-hidden="true" />
            Check signature
          </Button>
          <TextLink href={guide} prefetch={false} className="text-sm">
            What the results mean
          </TextLink>
        </div>
      </form>
      <InlineError what="We couldn’t check the signature" error={form.error} className="mt-4" />
      {result === null ? null : (
        <div className="mt-4">
          <SignatureResult result={result} next={result.verified ? <p className="mt-1">{verified}</p> : null} />
        </div>
      )}
    </>
  );
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  }
  return btoa(binary);
}
