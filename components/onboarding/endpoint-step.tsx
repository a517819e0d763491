'use client';

import { useRef } from 'react';
import { createEndpoint } from '@/components/endpoints/use-endpoints';
import { useApiForm } from '@/components/form/use-api-form';
import { installCommand } from '@/components/keys/samples';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { explainPattern } from '@/components/subscriptions/explain-pattern';
import { createSubscription } from '@/components/subscriptions/use-subscriptions';
import { CodeBlock } from '@/components/ui/code-block';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Endpoint } from '@/lib/delivery/schema';
import { StepSubmit } from './step-submit';

const RECEIVER = `node -e "require('http').createServer((q, s) => { let b = ''; q.on('data', (c) => (b += c)); q.on('end', () => { console.log(q.headers['webhook-id'], b); s.end('thanks'); }); }).listen(4000)"`;

/** Creates an endpoint and its first subscription. */
export function EndpointStep({
  projectId,
  endpoint,
  onMade,
}: {
  projectId: string;
  /** An existing endpoint that has no subscription yet. */
  endpoint: Endpoint | undefined;
  onMade: () => Promise<unknown>;
}) {
  const baseUrl = useBaseUrl();
  const disabledReason = useDisabledReason(projectId, 'endpoint.manage');
  // If creating the subscription fails, another attempt must not create a second endpoint.
  const made = useRef(endpoint?.id);
  const form = useApiForm({
    defaultValues: { url: endpoint?.url ?? '', eventType: '*' },
    send: async ({ url, eventType }) => {
      const body = { url: url.trim(), description: null, enabled: true, retrySeconds: [] };
      made.current ??= (await createEndpoint(projectId, body)).id;
      await createSubscription(projectId, { endpointId: made.current, eventType: eventType.trim() });
      await onMade();
    },
  });
  return (
    <form noValidate onSubmit={form.submit} className="grid max-w-xl gap-4">
      <Field label="URL" error={form.fieldError('url')} hint="Receives events with POST and responds with 2xx.">
        {(control) => (
          <Input
            {...control}
            {...form.register('url', { required: 'Enter the URL of the receiver.' })}
            readOnly={endpoint !== undefined}
            type="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="http://localhost:4000"
            className="font-mono"
          />
        )}
      </Field>
      <details className="text-sm">
        <summary className="w-fit cursor-pointer rounded-sm text-accent-text">No receiver yet? Start this one</summary>
        <p className="mt-2 mb-2 text-muted">
          It prints requests to port 4000. A deployment with a public URL does not send to private addresses.
        </p>
        <CodeBlock label="Receiver" language="shell" code={RECEIVER} wrap />
      </details>
      <details className="text-sm">
        <summary className="w-fit cursor-pointer rounded-sm text-accent-text">
          Receive events on your own machine instead
        </summary>
        <p className="mt-2 mb-2 text-muted">
          The command-line client forwards events to port 4000 of your machine, also from behind a firewall.
        </p>
        <CodeBlock
          label="Listen"
          language="shell"
          code={`${installCommand(baseUrl)}\neds login --url ${baseUrl}\neds listen 4000 --events '*' --project ${projectId}`}
          wrap
        />
      </details>
      <Field label="Event type" error={form.fieldError('eventType')} hint={explainPattern(form.watch('eventType'))}>
        {(control) => (
          <Input
            {...control}
            {...form.register('eventType', { required: 'Enter an event type, or *.' })}
            autoComplete="off"
            spellCheck={false}
            className="max-w-60 font-mono"
          />
        )}
      </Field>
      <InlineError what="The endpoint could not be set up" error={form.error} />
      <StepSubmit label="Create endpoint and subscription" pending={form.pending} disabledReason={disabledReason} />
    </form>
  );
}
