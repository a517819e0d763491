'use client';

import { Badge } from '@/components/ui/badge';
import { CodeBlock } from '@/components/ui/code-block';
import { Link } from '@/components/ui/link';
import { MAX_SHOWN_BYTES, type TryResult } from './send-try';

/** The response to a request: status, time, headers and body. */
export function TryResponse({ result }: { result: TryResult }) {
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
