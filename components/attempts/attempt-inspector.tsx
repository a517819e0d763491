'use client';

import type { ReactNode } from 'react';
import { CopyButton } from '@/components/ui/copy-button';
import { formatAbsolute } from '@/components/ui/format-time';
import { Stat, StatList } from '@/components/ui/stat';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import type { Exchanged, SentRequest } from '@/lib/delivery/schema';
import { attemptCurl } from './attempt-curl';
import { BodyViewer } from './body-viewer';
import { describeOutcome } from './describe-status';
import { HeaderTable } from './header-table';
import { keptBodyNote } from './kept-body-note';
import { TimingBars } from './timing-bars';
import { formatStep } from './timing-steps';

export type Inspected = Exchanged & { startedAt: string; request: SentRequest | null };

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
  const { method, url, headers, body, bodyBase64 } = request;
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
