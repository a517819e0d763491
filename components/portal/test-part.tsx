'use client';

import { Send } from 'lucide-react';
import { useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { prettyJson } from '@/components/ui/format-json';
import { formatDuration } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { controlStyle, Textarea } from '@/components/ui/input';
import type { TestResult } from '@/lib/delivery/schema';
import { ExchangeView } from './exchange-view';
import { explainFailure } from './explain-failure';
import { usePortal } from './use-portal';
import { useEventTypes } from './use-portal-data';

const TEST_TYPE = 'endpoint.test';

/** Sends one event to an endpoint, and shows what was sent and what came back. */
export function TestPart({ endpointId }: { endpointId: string }) {
  const { company, fetch } = usePortal();
  const known = useEventTypes() ?? [];
  const types = [...new Set([TEST_TYPE, ...known.map(({ name }) => name)])];
  const [type, setType] = useState(TEST_TYPE);
  const [data, setData] = useState(() => JSON.stringify({ message: `A test from ${company}` }, null, 2));
  const [fault, setFault] = useState<string>();
  const [result, setResult] = useState<TestResult | null>(null);
  const { pending, error, run } = useAsyncAction();
  const send = () =>
    run(async () => {
      setResult(null);
      // As it was typed: numbers keep their digits.
      const bodyText = `{"type":${JSON.stringify(type)},"data":${data}}`;
      setResult(await fetch<TestResult>(`/endpoints/${endpointId}/test`, { method: 'POST', bodyText }));
    });
  const submit = () => {
    setFault(isObject(data) ? undefined : 'Enter a JSON object, such as {"orderId": "1"}.');
    if (isObject(data) && !pending) void send();
  };
  return (
    <div className="grid min-w-0 gap-5">
      <p className="max-w-2xl text-muted text-sm">
        Send one signed request to this endpoint now, and see what your server answers. It doesn’t appear among the
        deliveries.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        noValidate
        className="grid max-w-2xl gap-5"
      >
        <Field label="Event type">
          {(control) => (
            <select
              {...control}
              value={type}
              onChange={(event) => {
                setType(event.target.value);
                const example = known.find(({ name }) => name === event.target.value)?.example ?? null;
                if (example !== null) setData(prettyJson(example));
              }}
              className={`${controlStyle} h-9 px-2.5`}
            >
              {types.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Data" error={fault}>
          {(control) => (
            <Textarea
              {...control}
              value={data}
              onChange={(event) => setData(event.target.value)}
              rows={5}
              spellCheck={false}
              className="font-mono"
            />
          )}
        </Field>
        <Button type="submit" variant="primary" className="justify-self-start" loading={pending}>
          <Send aria-hidden="true" />
          Send test
        </Button>
      </form>
      <p role="status" className="sr-only">
        {pending ? 'Waiting for your server' : ''}
      </p>
      <InlineError what="We couldn’t send the test" error={error} />
      {result === null ? null : <Result result={result} />}
    </div>
  );
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function Result({ result }: { result: TestResult }) {
  const failure = explainFailure(result);
  return (
    <div className="grid min-w-0 gap-6">
      <Callout tone={result.succeeded ? 'success' : 'danger'} role="status">
        <p className="font-medium">
          {failure?.what ?? `It works: your server answered in ${formatDuration(result.durationMs)}.`}
        </p>
        {failure === null ? null : <p>{failure.advice}</p>}
      </Callout>
      <ExchangeView exchange={result} />
    </div>
  );
}
