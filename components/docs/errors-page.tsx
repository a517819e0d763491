interface ErrorRow {
  code: string;
  status: number;
  meaning: string;
}

/** Lists every error code of the API. The `type` of a problem document links here. */
export function ErrorsPage({ errors }: { errors: readonly ErrorRow[] }) {
  return (
    <main className="mx-auto max-w-3xl px-4 py-12">
      <h1 className="font-semibold text-2xl">Errors</h1>
      <p className="mt-2 mb-8 text-muted">
        Every error response is a problem document (RFC 9457) with a stable{' '}
        <code className="font-mono text-sm">code</code>. Use its <code className="font-mono text-sm">requestId</code> to
        find the request in the logs.
      </p>
      <dl className="divide-y rounded-lg border bg-surface">
        {errors.map(({ code, status, meaning }) => (
          <div key={code} id={code} className="grid gap-1 px-4 py-3 target:bg-sunken sm:grid-cols-[15rem_1fr] sm:gap-4">
            <dt className="flex items-baseline justify-between gap-2 font-mono text-sm">
              {code}
              <span className="text-muted">{status}</span>
            </dt>
            <dd className="text-sm">{meaning}</dd>
          </div>
        ))}
      </dl>
    </main>
  );
}
