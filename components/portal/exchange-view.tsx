'use client';

import { type ReactNode, useState } from 'react';
import { attemptCurl } from '@/components/attempts/attempt-curl';
import { describeStatus } from '@/components/attempts/describe-status';
import { prettyBody } from '@/components/incoming-events/body-views';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyButton } from '@/components/ui/copy-button';
import { formatDuration } from '@/components/ui/format-time';
import type { Exchanged, SentRequest } from '@/lib/delivery/schema';

type Headers = readonly (readonly [name: string, value: string])[];

/** A request as it was sent, and the answer to it. */
export function ExchangeView({ exchange }: { exchange: Exchanged & { request: SentRequest | null } }) {
  const { request, responseStatus, responseHeaders, responseBody, error, durationMs } = exchange;
  const curl = request === null ? null : attemptCurl(request);
  return (
    <div className="grid min-w-0 gap-8">
      <Side
        title="What your server answered"
        line={
          responseStatus === null
            ? `${error ?? 'Nothing'}, after ${formatDuration(durationMs)}`
            : `${describeStatus(responseStatus)}, after ${formatDuration(durationMs)}`
        }
      >
        {responseStatus === null ? null : (
          <>
            {responseHeaders === null ? null : <HeaderList of="answer" headers={responseHeaders} />}
            <Body label="Body of the answer" body={responseBody ?? ''} />
          </>
        )}
      </Side>
      <Side
        title="What we sent"
        line={request === null ? 'Nothing: there was no connection.' : `POST ${request.url ?? 'to the URL before'}`}
        action={
          curl === null ? undefined : (
            <CopyButton variant="secondary" size="sm" label="Copy a curl command that repeats this request" text={curl}>
              Copy as curl
            </CopyButton>
          )
        }
      >
        {request === null ? null : (
          <>
            <HeaderList of="request" headers={request.headers} />
            <Body label="Body of the request" body={request.body ?? request.bodyBase64 ?? ''} />
          </>
        )}
      </Side>
    </div>
  );
}

function Side({
  title,
  line,
  action,
  children,
}: {
  title: string;
  line: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="grid min-w-0 gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold text-base">{title}</h3>
        {action}
      </div>
      <p className="wrap-anywhere font-mono text-xs">{line}</p>
      {children}
    </section>
  );
}

function HeaderList({ of, headers }: { of: string; headers: Headers }) {
  if (headers.length === 0) return null;
  return (
    <details className="rounded-lg border text-xs">
      <summary className="cursor-pointer rounded-lg px-3.5 py-2 font-medium">
        {headers.length} {headers.length === 1 ? 'header' : 'headers'}
        <span className="sr-only"> of the {of}</span>
      </summary>
      <dl className="grid gap-y-1.5 border-t px-3.5 py-3 font-mono sm:grid-cols-[minmax(0,12rem)_minmax(0,1fr)] sm:gap-x-4">
        {headers.map(([name, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a header may repeat, and the list never changes
          <div key={index} className="contents">
            <dt className="wrap-anywhere text-muted">{name}</dt>
            <dd className="wrap-anywhere max-sm:mb-1.5">{value === '[redacted]' ? 'hidden' : value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Longer bodies are shown on demand: nothing scrolls inside this page. */
const SHOWN_LINES = 40;
const SHOWN_CHARACTERS = 4_000;

function Body({ label, body }: { label: string; body: string }) {
  const [isWhole, setWhole] = useState(false);
  if (body === '') return <p className="text-muted text-sm">The body is empty.</p>;
  const { code, language } = prettyBody(body);
  const start = code.split('\n', SHOWN_LINES).join('\n').slice(0, SHOWN_CHARACTERS);
  const isCut = !isWhole && start.length < code.length;
  return (
    <>
      <CodeBlock label={label} language={language} code={isCut ? `${start}\n…` : code} wrap whole />
      {isCut ? (
        <Button size="sm" className="justify-self-start" onClick={() => setWhole(true)}>
          Show all of it
        </Button>
      ) : null}
    </>
  );
}
