'use client';

import { FlaskConical } from 'lucide-react';
import { useRef } from 'react';
import { URL_RULES } from '@/components/endpoints/url-field';
import { createEndpoint } from '@/components/endpoints/use-endpoints';
import { useApiForm } from '@/components/form/use-api-form';
import { useAsyncAction } from '@/components/form/use-async-action';
import { installCommand } from '@/components/keys/samples';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { createSubscription } from '@/components/subscriptions/use-subscriptions';
import { createTestReceiver } from '@/components/tunnels/test-receiver';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Endpoint } from '@/lib/delivery/schema';

/** Creates an endpoint that gets all events: at a test receiver with one click, or at a URL of the person. */
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
  const disabledReason = useDisabledReason(projectId, 'endpoint.manage');
  const { pending, error, run } = useAsyncAction();
  // What was made stays made: if a later request fails, another click continues after it.
  const testUrl = useRef<string | null>(null);
  const endpointId = useRef(endpoint?.id);
  const make = async (url: string, description: string | null) => {
    const body = { url, description, enabled: true, retrySeconds: [] };
    endpointId.current ??= (await createEndpoint(projectId, body)).id;
    await createSubscription(projectId, { endpointId: endpointId.current, eventType: '*' });
    await onMade();
  };
  const useTest = async () => {
    testUrl.current ??= (await createTestReceiver(projectId)).url;
    if (testUrl.current !== null) await make(testUrl.current, 'Test receiver');
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {endpoint === undefined ? (
        <section className="grid content-start gap-3 rounded-lg border bg-surface p-4">
          <h3 className="font-medium text-sm">No server yet?</h3>
          <p className="text-muted text-sm">
            A test receiver receives your events here and shows what arrived. Nothing to install.
          </p>
          <Button
            variant="primary"
            className="justify-self-start"
            loading={pending}
            disabledReason={disabledReason}
            onClick={() => void run(useTest)}
          >
            <FlaskConical aria-hidden="true" />
            Use a test receiver
          </Button>
          <InlineError what="We couldn’t create the test receiver" error={error} />
        </section>
      ) : null}
      <section className="grid content-start gap-3 rounded-lg border bg-surface p-4">
        <h3 className="font-medium text-sm">Your own URL</h3>
        <OwnUrlForm
          projectId={projectId}
          url={endpoint?.url}
          send={(url) => make(url, null)}
          disabledReason={disabledReason}
        />
      </section>
    </div>
  );
}

/** The URL of a receiver, and the command that receives events on the person's machine instead. */
function OwnUrlForm({
  projectId,
  url,
  send,
  disabledReason,
}: {
  projectId: string;
  /** The URL of an existing endpoint. It can't be changed here. */
  url: string | undefined;
  send: (url: string) => Promise<unknown>;
  disabledReason: string | undefined;
}) {
  const baseUrl = useBaseUrl();
  const form = useApiForm({ defaultValues: { url: url ?? '' }, send: (values) => send(values.url.trim()) });
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-3">
      <Field label="URL" error={form.fieldError('url')} hint="Gets all events with POST, and responds with 2xx.">
        {(control) => (
          <Input
            {...control}
            {...form.register('url', URL_RULES)}
            readOnly={url !== undefined}
            type="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://example.com/webhooks"
            className="font-mono"
          />
        )}
      </Field>
      <InlineError what="We couldn’t create the endpoint" error={form.error} />
      <Button type="submit" className="justify-self-start" loading={form.pending} disabledReason={disabledReason}>
        {url === undefined ? 'Create endpoint' : 'Subscribe to all events'}
      </Button>
      <details className="min-w-0 text-sm">
        <summary className="w-fit cursor-pointer rounded-sm text-accent-text">Or receive on your machine</summary>
        <p className="mt-2 mb-2 text-muted">The command-line client forwards events to port 4000 of your machine.</p>
        <CodeBlock
          label="Listen"
          language="shell"
          code={`${installCommand(baseUrl)}\neds login --url ${baseUrl}\neds listen 4000 --events '*' --project ${projectId}`}
          wrap
        />
      </details>
    </form>
  );
}
