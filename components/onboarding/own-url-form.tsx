'use client';

import { URL_RULES } from '@/components/endpoints/url-field';
import { useApiForm } from '@/components/form/use-api-form';
import { installCommand } from '@/components/keys/samples';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/code-block';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { useBaseUrl } from '@/components/ui/use-base-url';

/** The URL of a receiver, and the command that receives events on the person's machine instead. */
export function OwnUrlForm({
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
