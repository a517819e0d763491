import { TextLink } from '@/components/ui/link';
import { StatusCode } from './api/badges';
import { Code, Prose } from './prose';

interface ErrorRow {
  code: string;
  status: number;
  meaning: string;
}

/** Lists every error code of the API. The `type` of a problem document links here. */
export function ErrorsPage({ errors }: { errors: readonly ErrorRow[] }) {
  return (
    <div className="max-w-3xl">
      <h1 className="font-semibold text-2xl tracking-tight">Errors</h1>
      <p className="mt-1 mb-8 text-muted">
        Every error response is a problem document (RFC 9457) with a stable <Code>code</Code>. Use its{' '}
        <Code>requestId</Code> to find the request in the logs. Each call in the{' '}
        <TextLink href="/docs/api">API reference</TextLink> lists the codes that it can respond with.
      </p>
      <dl className="divide-y rounded-lg border bg-surface">
        {errors.map(({ code, status, meaning }) => (
          <div
            key={code}
            id={code}
            data-heading=""
            className="grid scroll-mt-26 gap-1 px-4 py-3 target:bg-accent-subtle sm:grid-cols-[16rem_1fr] sm:gap-4 lg:scroll-mt-16"
          >
            <dt className="flex items-baseline gap-3 font-mono text-sm">
              <StatusCode status={status} />
              {code}
            </dt>
            <dd className="text-sm">
              <Prose>{meaning}</Prose>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
