'use client';

import { SearchCheck } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { TextareaField } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { TextLink } from '@/components/ui/link';
import type { SignatureCheck, VerifySignatureBody } from '@/lib/delivery/schema';
import { SignatureResult } from './signature-result';

/** Base64 takes no more text than this at once. */
const CHUNK_BYTES = 8_192;

/** Checks a request as a receiver got it, and says why its signature does not verify. */
export function CheckSignatureCard({
  description,
  guide,
  disabledReason,
  verified,
  send,
}: {
  description: ReactNode;
  /** Path of the part of a guide about this. */
  guide: string;
  disabledReason?: string | undefined;
  /** What it means that a request verifies here. */
  verified: string;
  send: (body: VerifySignatureBody) => Promise<SignatureCheck>;
}) {
  const [isOpen, setOpen] = useState(false);
  const [result, setResult] = useState<SignatureCheck | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const form = useApiForm({
    defaultValues: { headers: '', body: '' },
    send: async ({ headers, body }) => {
      setResult(null);
      const bytes = file === null ? new TextEncoder().encode(body) : new Uint8Array(await file.arrayBuffer());
      setResult(await send({ headers, bodyBase64: toBase64(bytes) }));
    },
  });
  const removeFile = () => {
    setFile(null);
    if (chooser.current !== null) chooser.current.value = '';
  };
  return (
    <Card
      title="Check a signature"
      {...(isOpen ? { description } : {})}
      actions={
        <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide form' : 'Paste a request'}
        </Button>
      }
    >
      {isOpen ? null : <p className="text-muted text-sm">{description}</p>}
      <form noValidate onSubmit={form.submit} hidden={!isOpen} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <TextareaField
          form={form}
          name="headers"
          rules={{ required: 'Paste the headers of the request.' }}
          label="Headers as received"
          hint="One a line, or as JSON. Others than those of the signature don’t matter."
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
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" loading={form.pending} disabledReason={disabledReason}>
            <SearchCheck aria-hidden="true" />
            Check signature
          </Button>
          <TextLink href={guide} prefetch={false} className="text-sm">
            What the results mean
          </TextLink>
        </div>
      </form>
      <InlineError what="We couldn’t check the signature" error={isOpen ? form.error : undefined} className="mt-4" />
      {result === null || !isOpen ? null : (
        <div className="mt-4">
          <SignatureResult result={result} next={result.verified ? <p className="mt-1">{verified}</p> : null} />
        </div>
      )}
    </Card>
  );
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
  }
  return btoa(binary);
}
