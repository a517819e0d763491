'use client';

import type { ReactNode } from 'react';
import { type BodyView, bodyViewsOf } from '@/components/incoming-events/body-views';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyButton } from '@/components/ui/copy-button';
import { formatAbsolute } from '@/components/ui/format-time';
import { Stat, StatList } from '@/components/ui/stat';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import type { Exchanged, SentRequest } from '@/lib/delivery/schema';
import { attemptCurl } from './attempt-curl';
import { formatStep, TimingBars } from './attempt-timing';
import { describeOutcome } from './describe-status';

const NAMES: Record<BodyView['name'], string> = { JSON: 'Pretty', Text: 'Raw', Hex: 'Hex' };

type Headers = readonly (readonly [name: string, value: string])[];

/** A character that was cut may be missing at the end. */
const CUT_BYTES = 3;

const KIB = 1024;

type Inspected = Exchanged & { startedAt: string; request: SentRequest | null };

/** An attempt in full: its timing, its response, and its request as it was sent. */
export function AttemptInspector({ attempt }: { attempt: Inspected }) {
  const { request } = attempt;
  const curl = request === null ? null : attemptCurl(request);
  return (
    <div className="grid min-w-0 gap-5">
      <Facts attempt={attempt} />
      <TimingBars exchange={attempt} />
      <Tabs defaultValue="response" className="min-w-0">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          <TabsList aria-label="Parts of the attempt">
            <TabsTrigger value="response">Response</TabsTrigger>
            <TabsTrigger value="request">Request</TabsTrigger>
          </TabsList>
          {curl === null ? null : (
            <CopyButton variant="secondary" size="sm" label="Copy a curl command that repeats this request" text={curl}>
              Copy as curl
            </CopyButton>
          )}
        </div>
        <TabsContent value="response" tabIndex={-1}>
          <Response attempt={attempt} />
        </TabsContent>
        <TabsContent value="request" tabIndex={-1}>
          {request === null ? <Note>The request wasn’t stored.</Note> : <Request request={request} />}
        </TabsContent>
      </Tabs>
    </div>
  );
}

function Facts({ attempt }: { attempt: Inspected }) {
  const { durationMs, remoteAddress, timing, startedAt } = attempt;
  const tookMs = Math.max(durationMs, timing?.firstByteMs ?? 0);
  return (
    <StatList>
      <Stat label="Result">{describeOutcome(attempt)}</Stat>
      <Stat label="Started">
        <time dateTime={startedAt}>{formatAbsolute(new Date(startedAt))}</time>
      </Stat>
      <Stat label="Total">{formatStep(tookMs)}</Stat>
      <Stat label="Remote address">
        {remoteAddress === null ? 'None' : <span className="break-all font-mono text-xs">{remoteAddress}</span>}
        {timing?.reusedConnection ? <span className="block text-muted text-xs">on a reused connection</span> : null}
      </Stat>
    </StatList>
  );
}

function Response({ attempt }: { attempt: Inspected }) {
  const { responseStatus, responseHeaders, responseHeadersTruncated, responseBody } = attempt;
  if (responseStatus === null) return <Note>The receiver sent no response.</Note>;
  const note = keptBodyNote(attempt);
  return (
    <div className="grid min-w-0 gap-5">
      <Part title="Headers">
        {responseHeaders === null ? (
          <Note>The headers weren’t stored.</Note>
        ) : (
          <HeaderTable label="Response headers" headers={responseHeaders} isCut={responseHeadersTruncated} />
        )}
      </Part>
      <Part title="Body">
        <BodyViewer label="Response body" body={responseBody ?? ''} />
        {note === null ? null : <Note>{note}</Note>}
      </Part>
    </div>
  );
}

function Request({ request }: { request: SentRequest }) {
  const { method, url, headers, body, bodyBase64, bodyTruncated } = request;
  return (
    <div className="grid min-w-0 gap-5">
      {url === null ? (
        <Note>The URL has changed since this attempt, and the original URL isn’t stored.</Note>
      ) : (
        <p className="break-all font-mono text-xs">
          <span className="font-semibold">{method}</span> {url}
        </p>
      )}
      <Part title="Headers">
        <HeaderTable label="Request headers" headers={headers} />
        {headers.some(([name]) => name === 'webhook-signature') ? (
          <Note>The signature is valid for the time of this attempt. Most receivers accept it for five minutes.</Note>
        ) : null}
      </Part>
      <Part title="Body">
        <BodyViewer label="Request body" body={body} bodyBase64={bodyBase64} />
        {bodyTruncated ? <Note>These are the first 512 KiB. The incoming event has the entire body.</Note> : null}
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-2">
      <h4 className="font-medium text-sm">{title}</h4>
      {children}
    </section>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="text-muted text-sm">{children}</p>;
}

/** Says that the body of a response may be cut off; null when it is complete. Its limits are those of the specification. */
function keptBodyNote({ responseBody, succeeded }: Pick<Exchanged, 'responseBody' | 'succeeded'>): string | null {
  const keptKib = succeeded ? 2 : 10;
  const bytes = new TextEncoder().encode(responseBody ?? '').length;
  if (bytes < keptKib * KIB - CUT_BYTES) return null;
  return `Only the first ${keptKib} KiB of ${succeeded ? 'a successful' : 'a failed'} response are stored.`;
}

function HeaderTable({ label, headers, isCut = false }: { label: string; headers: Headers; isCut?: boolean }) {
  if (headers.length === 0) return <p className="text-muted text-sm">None.</p>;
  return (
    <div className="relative min-w-0 rounded-lg border">
      <table className="w-full table-fixed font-mono text-xs leading-5">
        <caption className="sr-only">{label}</caption>
        <colgroup>
          <col className="w-[42%] sm:w-56" />
          <col />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {headers.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may repeat, and the list never changes
            <tr key={index} className="group/row border-b align-top last:border-b-0">
              <th scope="row" className="break-words py-1.5 pr-3 pl-3.5 text-left font-normal text-muted">
                {name}
              </th>
              <td className="break-words py-1.5 pr-3 group-first/row:pr-12">
                {value === '[redacted]' ? <span className="text-muted">hidden</span> : value}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isCut ? (
        <p className="border-t px-3.5 py-1.5 text-muted text-xs">More headers arrived. Only these were stored.</p>
      ) : null}
      <CopyButton
        variant="secondary"
        className="absolute top-1.5 right-1.5"
        label={`Copy ${label.toLowerCase()}`}
        text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
      />
    </div>
  );
}

/** A body as text, never rendered: JSON pretty and raw, other text raw, other bytes in hexadecimal. */
function BodyViewer({
  label,
  body,
  bodyBase64 = null,
}: {
  label: string;
  body: string | null;
  bodyBase64?: string | null;
}) {
  const size = body === null ? Math.floor(((bodyBase64?.length ?? 0) * 3) / 4) : new TextEncoder().encode(body).length;
  const all = bodyViewsOf({ body, bodyBase64, size });
  // Text needs no dump of its bytes here.
  const views = all.length > 1 ? all.filter(({ name }) => name !== 'Hex') : all;
  const [first] = views;
  if (first === undefined) return <p className="text-muted text-sm">Empty.</p>;
  if (views.length === 1) return <View label={label} view={first} />;
  return (
    <Tabs defaultValue={first.name} className="min-w-0">
      <TabsList aria-label={`How the ${label.toLowerCase()} is shown`} className="mb-2">
        {views.map(({ name }) => (
          <TabsTrigger key={name} value={name}>
            {NAMES[name]}
          </TabsTrigger>
        ))}
      </TabsList>
      {views.map((view) => (
        <TabsContent key={view.name} value={view.name} tabIndex={-1}>
          <View label={label} view={view} />
        </TabsContent>
      ))}
    </Tabs>
  );
}

function View({ label, view: { name, language, code, note } }: { label: string; view: BodyView }) {
  return (
    <>
      <CodeBlock label={label} language={language} code={code} wrap={name === 'Text'} />
      {note === null ? null : <p className="mt-2 text-muted text-sm">{note}</p>}
    </>
  );
}
