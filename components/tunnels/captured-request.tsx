'use client';

import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { hexDump, prettyBody } from '@/components/incoming-events/body-views';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { CodeBlock } from '@/components/ui/code-block';
import { formatBytes } from '@/components/ui/format-figures';
import type { TunnelRequestDetail } from '@/lib/tunnel/schema';

const MAX_DUMPED_BYTES = 4096;

export interface CapturedBodyProps {
  /** Names the body: "Request body". */
  label: string;
  /** Bytes on the wire; null when no response began. */
  size: number | null;
  text: string | null;
  base64: string | null;
  truncated: boolean;
  fileName: string;
}

/** A logged body: JSON indented, text as it is, other bytes in hexadecimal with a download. */
export function CapturedBody(props: CapturedBodyProps) {
  const { label, size, text, base64, truncated } = props;
  if (size === null) return <Note>There was no response.</Note>;
  if (size === 0 && !truncated) return <Note>Empty.</Note>;
  if (!text && base64 === null) return <Note>{size === 0 ? 'Not stored.' : `${formatBytes(size)}, not stored.`}</Note>;
  return (
    <div className="grid gap-3">
      {truncated ? (
        <Callout tone="warning">The body is {formatBytes(size)}. Only the beginning was stored.</Callout>
      ) : null}
      {text === null ? (
        <BinaryBody {...props} base64={base64 ?? ''} />
      ) : (
        <CodeBlock label={label} {...prettyBody(text)} wrap />
      )}
    </div>
  );
}

function BinaryBody({ label, base64, fileName }: CapturedBodyProps & { base64: string }) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return (
    <div className="grid gap-2">
      <CodeBlock label={label} code={hexDump(bytes.subarray(0, MAX_DUMPED_BYTES))} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted text-sm">
          {bytes.length > MAX_DUMPED_BYTES ? `The first ${formatBytes(MAX_DUMPED_BYTES)} of ` : ''}
          {formatBytes(bytes.length)} of binary data.
        </p>
        <Button size="sm" onClick={() => save(bytes, fileName)}>
          <Download aria-hidden="true" />
          Download
        </Button>
      </div>
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="text-muted text-sm">{children}</p>;
}

/** Saves bytes as a file, never as a type that a browser opens. */
function save(bytes: Uint8Array<ArrayBuffer>, fileName: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** The headers of a logged message. */
export function HeaderList({
  label,
  headers,
}: {
  label: string;
  headers: readonly (readonly [string, string])[] | null;
}) {
  if (headers === null) return <Note>Not stored.</Note>;
  if (headers.length === 0) return <Note>None.</Note>;
  return (
    <dl
      aria-label={label}
      className="grid gap-y-1.5 font-mono text-xs sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)] sm:gap-x-4"
    >
      {headers.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a header may repeat, and the list never changes
        <div key={index} className="grid sm:col-span-2 sm:grid-cols-subgrid">
          <dt className="break-all text-muted">{name}</dt>
          <dd className="min-w-0 break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Says whether the signature of a request is that of an endpoint, and why. */
export function SignatureNote({ signature }: { signature: NonNullable<TunnelRequestDetail['signature']> }) {
  const { verified, detail } = signature;
  if (verified === null) return <Callout tone="accent">Signature not checked. {detail}</Callout>;
  if (verified) return <Callout tone="success">Signature verified. {detail}</Callout>;
  return <Callout tone="danger">Signature not valid. {detail}</Callout>;
}
