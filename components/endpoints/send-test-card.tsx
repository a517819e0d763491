'use client';

import { Send } from 'lucide-react';
import { useId, useState } from 'react';
import { AttemptInspector } from '@/components/attempts/attempt-inspector';
import { describeStatus } from '@/components/attempts/describe-status';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { formatDuration } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { Input, Textarea } from '@/components/ui/input';
import type { TestResult } from '@/lib/delivery/schema';
import { parseTestData } from './test-data';
import type { TestEvent } from './use-endpoints';
import { useSeenTypes } from './use-seen-types';

const EXAMPLE = '{\n  "message": "A test from the Event Delivery Service"\n}';

/** Sends one signed test event of a chosen type and data, and shows the request and the response. */
export function SendTestCard({
  projectId,
  sendTest,
  disabledReason,
}: {
  projectId: string;
  sendTest: (event: TestEvent) => Promise<TestResult>;
  disabledReason: string | undefined;
}) {
  const [result, setResult] = useState<TestResult | null>(null);
  const form = useApiForm({
    defaultValues: { type: 'endpoint.test', data: EXAMPLE },
    send: async ({ type, data }) => {
      setResult(null);
      setResult(await sendTest({ type: type.trim(), data: parseTestData(data) ?? {} }));
    },
  });
  const listId = useId();
  const seen = useSeenTypes(projectId);
  return (
    <Card title="Test" description="Send one signed event to this URL now. It isn’t stored or retried.">
      <form noValidate onSubmit={form.submit} className="grid gap-4">
        <Field label="Event type" error={form.fieldError('type')}>
          {(control) => (
            <Input
              {...control}
              {...form.register('type', { required: 'Enter an event type.' })}
              list={listId}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono"
            />
          )}
        </Field>
        <datalist id={listId}>
          {seen?.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
        <Field label="Data" error={form.fieldError('data')}>
          {(control) => (
            <Textarea
              {...control}
              {...form.register('data', {
                validate: (text) => parseTestData(text) !== null || 'Enter a JSON object, such as {"orderId": 42}.',
              })}
              rows={4}
              spellCheck={false}
              className="font-mono text-xs"
            />
          )}
        </Field>
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
