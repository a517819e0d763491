'use client';

import { Send } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useId, useState } from 'react';
import { describeStatus } from '@/components/attempts/describe-status';
import { parseJson } from '@/components/auth-session/request';
import { CODE, TextareaField, TextField } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { useDisabledReason } from '@/components/projects/use-projects';
import { EVENT_TYPE_RULES } from '@/components/subscriptions/explain-pattern';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { prettyJson } from '@/components/ui/format-json';
import { formatDuration } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import type { TestResult } from '@/lib/delivery/schema';
import { type EndpointActions, useCatalogueTypes } from './use-endpoints';

const AttemptInspector = dynamic(() =>
  import('@/components/attempts/attempt-inspector').then((part) => part.AttemptInspector),
);

const EXAMPLE = '{\n  "message": "A test from the Event Delivery Service"\n}';
const DATA_RULES = {
  validate: (text: string) => parseTestData(text) !== null || 'Enter a JSON object, such as {"orderId": 42}.',
};

/** Sends one signed test event of a chosen type and data, and shows the request and the response. */
export function SendTestCard({ sendTest }: Pick<EndpointActions, 'sendTest'>) {
  const disabledReason = useDisabledReason('endpoint.manage');
  const [result, setResult] = useState<TestResult | null>(null);
  const form = useApiForm({
    defaultValues: { type: 'endpoint.test', data: EXAMPLE },
    send: async ({ type, data }) => {
      setResult(null);
      setResult(await sendTest({ type: type.trim(), data: parseTestData(data) ?? {} }));
    },
  });
  const listId = useId();
  const types = useCatalogueTypes();
  const example = types?.find(({ name }) => name === form.watch('type').trim())?.example ?? null;
  return (
    <Card title="Test" description="Send one signed event to this URL now. It isn’t stored or retried.">
      <form noValidate onSubmit={form.submit} className="grid gap-4">
        <TextField form={form} name="type" rules={EVENT_TYPE_RULES} label="Event type" list={listId} {...CODE} />
        <datalist id={listId}>
          {types?.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {example === null ? null : (
          <Button size="sm" className="justify-self-start" onClick={() => form.setValue('data', prettyJson(example))}>
            Use the example of this type
          </Button>
        )}
        <TextareaField form={form} name="data" rules={DATA_RULES} label="Data" rows={4} control="font-mono text-xs" />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" loading={form.pending} disabledReason={disabledReason}>
            <Send aria-hidden="true" />
            Send test
          </Button>
          <p className="text-muted text-sm">{form.pending ? 'Waiting for the receiver…' : null}</p>
        </div>
      </form>
      <InlineError what="We couldn’t send the test" error={form.error} className="mt-4" />
      {result === null ? null : (
        <div className="mt-4 grid min-w-0 gap-5">
          <Callout tone={result.succeeded ? 'success' : 'danger'} role="status">
            <span className="font-medium">{result.succeeded ? 'Delivered.' : 'Not delivered.'}</span>{' '}
            {sentenceOf(result)}
          </Callout>
          <AttemptInspector attempt={result} />
        </div>
      )}
    </Card>
  );
}

function sentenceOf({ responseStatus, durationMs, error }: TestResult): string {
  const took = formatDuration(durationMs);
  if (responseStatus !== null) return `The receiver responded with ${describeStatus(responseStatus)} in ${took}.`;
  return `${error ?? 'No response'}, after ${took}.`;
}

/** Parses the data of a test event; null unless it is a JSON object. Numbers keep their digits if the browser supports it. */
export function parseTestData(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
