'use client';

import { FlaskConical, Send } from 'lucide-react';
import { useId, useRef } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { sendRequest } from '@/components/auth-session/request';
import { CustomerOptions } from '@/components/customers/customer-field';
import { useHasCustomers } from '@/components/customers/use-customers';
import { URL_RULES } from '@/components/endpoints/endpoint-fields';
import { createEndpoint } from '@/components/endpoints/use-endpoints';
import { useApiForm } from '@/components/form/use-api-form';
import { useAsyncAction } from '@/components/form/use-async-action';
import { installCommand, KEY_VARIABLE, sendSamples } from '@/components/keys/samples';
import { useDisabledReason } from '@/components/projects/use-projects';
import { createTestReceiver } from '@/components/tunnels/use-tunnels';
import { StatusDot } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { CodeBlock } from '@/components/ui/code-block';
import { CodeTabs } from '@/components/ui/code-tabs';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Endpoint } from '@/lib/delivery/schema';
import type { EventListItem } from '@/lib/events/schema';
import type { CreatedApiKey } from '@/lib/keys/schema';

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
  const disabledReason = useDisabledReason('endpoint.manage');
  const { pending, error, run } = useAsyncAction();
  // What was made stays made: if a later request fails, another click continues after it.
  const testUrl = useRef<string | null>(null);
  const endpointId = useRef(endpoint?.id);
  const make = async (url: string, description: string | null) => {
    const body = { url, description, enabled: true, retrySeconds: [] };
    endpointId.current ??= (await createEndpoint(projectId, body)).id;
    const subscription = { endpointId: endpointId.current, eventType: '*' };
    await apiFetch(`/projects/${projectId}/subscriptions`, { method: 'POST', body: subscription });
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

/** Sends an event with one click, or shows commands that send one. */
export function EventStep({
  projectId,
  plaintext,
  onKeyMade,
  onSent,
  type,
  customer,
  onCustomer,
  event,
}: {
  projectId: string;
  /** The new key; null when this page does not know it, such as after a reload. */
  plaintext: string | null;
  onKeyMade: (plaintext: string) => void;
  onSent: () => void;
  /** The type of the sample, which a subscription matches. */
  type: string;
  /** The uid of the customer whose event the sample is; empty for none. */
  customer: string;
  onCustomer: (customer: string) => void;
  /** The newest event, which has no delivery. */
  event: EventListItem | undefined;
}) {
  const baseUrl = useBaseUrl();
  return (
    <>
      {event === undefined ? null : <UnmatchedNote event={event} />}
      {useHasCustomers() ? <CustomerOfSample customer={customer} onChange={onCustomer} /> : null}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SendSampleEvent
          projectId={projectId}
          plaintext={plaintext}
          onKeyMade={onKeyMade}
          type={type}
          customer={customer}
          onSent={onSent}
        />
        <WaitingStatus>Waiting for your first event…</WaitingStatus>
      </div>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm text-accent-text text-sm">
          Or send it from your code
        </summary>
        <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4">
          {plaintext === null ? (
            <div className="grid gap-2">
              <p className="text-muted text-sm">
                Set the variable <code className="font-mono">EDS_API_KEY</code> to an API key of this project. A key is
                shown only once, when it is created.
              </p>
              <MakeKeyButton projectId={projectId} onKeyMade={onKeyMade} />
            </div>
          ) : null}
          <CodeTabs label="Send an event" samples={sendSamples(baseUrl, plaintext ?? KEY_VARIABLE, type, customer)} />
        </div>
      </details>
    </>
  );
}

/** Names the customer whose event is sent, in a project that has some. */
function CustomerOfSample({ customer, onChange }: { customer: string; onChange: (customer: string) => void }) {
  const listId = useId();
  return (
    <Field
      label="Customer"
      optional
      hint="An event of a customer goes to that customer’s endpoints."
      className="max-w-md"
    >
      {(control) => (
        <>
          <Input
            {...control}
            list={listId}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="Its ID or name"
            value={customer}
            onChange={({ target }) => onChange(target.value)}
            className="font-mono"
          />
          <CustomerOptions id={listId} typed={customer} />
        </>
      )}
    </Field>
  );
}

/** Says that no endpoint matched an event, once that is known. */
function UnmatchedNote({ event }: { event: EventListItem }) {
  if (event.fanOutStatus !== 'COMPLETED') return null;
  return (
    <Callout tone="warning">
      No matching endpoint for your event <code className="font-mono">{event.type}</code>. Send one that your endpoint
      is subscribed to.
    </Callout>
  );
}

/** Says what the page waits for; announced once to screen readers. */
function WaitingStatus({ children }: { children: string }) {
  return (
    <p role="status" className="inline-flex items-center gap-2.5 font-medium text-sm">
      <StatusDot tone="accent" live />
      {children}
    </p>
  );
}

interface KeyProps {
  projectId: string;
  /** The key that was made on this page; null when there is none. */
  plaintext: string | null;
  onKeyMade: (plaintext: string) => void;
}

async function makeKey(projectId: string): Promise<string> {
  const body = { name: 'First key', scope: 'READ_WRITE' };
  return (await apiFetch<CreatedApiKey>(`/projects/${projectId}/api-keys`, { method: 'POST', body })).key;
}

/** Sends a sample event with an API key, as a server does. Makes the key when the page has none. */
export function SendSampleEvent({
  projectId,
  plaintext,
  onKeyMade,
  type,
  customer,
  onSent,
}: KeyProps & {
  type: string;
  /** The uid of the customer whose event it is; empty for none. */
  customer: string;
  onSent: () => void;
}) {
  const disabledReason = useDisabledReason('api_key.manage');
  const { pending, error, run } = useAsyncAction();
  const send = () =>
    run(async () => {
      const key = plaintext ?? (await makeKey(projectId));
      onKeyMade(key);
      await sendRequest('/events', {
        method: 'POST',
        headers: { 'X-API-Key': key },
        body: { type, ...(customer === '' ? {} : { customer }), data: { orderId: 'ord_1042', amount: 129 } },
      });
      onSent();
    });
  return (
    <div>
      <Button
        variant="primary"
        loading={pending}
        disabledReason={plaintext === null ? disabledReason : undefined}
        onClick={() => void send()}
      >
        <Send aria-hidden="true" />
        Send a sample event
      </Button>
      <InlineError what="We couldn’t send the event" error={error} className="mt-3" />
    </div>
  );
}

/** Makes a key for the commands. */
function MakeKeyButton({ projectId, onKeyMade }: Omit<KeyProps, 'plaintext'>) {
  const disabledReason = useDisabledReason('api_key.manage');
  const { pending, error, run } = useAsyncAction();
  return (
    <div>
      <Button
        size="sm"
        loading={pending}
        disabledReason={disabledReason}
        onClick={() => void run(async () => onKeyMade(await makeKey(projectId)))}
      >
        Create an API key
      </Button>
      <InlineError what="We couldn’t create the key" error={error} className="mt-3" />
    </div>
  );
}
