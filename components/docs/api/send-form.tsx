'use client';

import { type FormEvent, useRef, useState } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useReader } from '@/components/docs/reader';
import { useAsyncAction } from '@/components/form/use-async-action';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input, Textarea } from '@/components/ui/input';
import { TextLink } from '@/components/ui/link';
import { Select } from '@/components/ui/select';
import type { CreatedApiKey } from '@/lib/keys/schema';
import { postTry, type TryResult } from './send-try';
import { TryResponse } from './try-response';

const KEY_NAME = 'Documentation';
const KEY_LIFE_MS = 60 * 60 * 1000;

interface Sent {
  result: TryResult;
  projectId: string;
  /** Null when nothing was stored. */
  eventId: string | null;
}

/** Sends an event to a project of the reader. Makes an API key for it, since a session cannot send events. */
export function SendForm({ path }: { path: string }) {
  const { organizations, projectId, chooseProject } = useReader();
  const [type, setType] = useState('order.paid');
  const [data, setData] = useState('{\n  "orderId": "ord_1042",\n  "amount": 4200\n}');
  const [idempotencyKey, setIdempotencyKey] = useState('');
  const [faults, setFaults] = useState<{ type?: string; data?: string }>({});
  const [sent, setSent] = useState<Sent | null>(null);
  const made = useRef<{ projectId: string; key: string } | null>(null);
  const { pending, error, run } = useAsyncAction();
  const owner = organizations.find(({ projects }) => projects.some(({ id }) => id === projectId));
  const projects = organizations.flatMap((organization) =>
    organization.projects.map(({ id, name }) => ({ value: id, label: name, description: organization.name })),
  );
  const keyFor = async (id: string) => {
    if (made.current?.projectId !== id) made.current = { projectId: id, key: await makeKey(id) };
    return made.current.key;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = {
      ...(type.trim() === '' && { type: 'Enter a type, such as order.paid.' }),
      ...(!isObject(data) && { data: 'Enter a JSON object.' }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0 || pending || projectId === undefined) return;
    void run(async () => {
      setSent(null);
      const key = await keyFor(projectId);
      const headers = { 'X-API-Key': key, ...(idempotencyKey !== '' && { 'Idempotency-Key': idempotencyKey }) };
      // Parsing the data would round its large numbers.
      const json = `{"type":${JSON.stringify(type.trim())},"data":${data}}`;
      const result = await postTry(path.replace('{projectId}', projectId), json, headers);
      setSent({ result, projectId, eventId: idOf(result) });
    });
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-3 border-t px-3.5 py-3.5">
      <Field label="Project">
        {(control) => (
          <Select {...control} value={projectId} onValueChange={chooseProject} options={projects} className="h-8" />
        )}
      </Field>
      <Field label="Event type" error={faults.type}>
        {(control) => (
          <Input
            {...control}
            value={type}
            onChange={(event) => setType(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            className="h-8 font-mono text-xs"
          />
        )}
      </Field>
      <Field label="Data" error={faults.data}>
        {(control) => (
          <Textarea
            {...control}
            value={data}
            onChange={(event) => setData(event.target.value)}
            rows={5}
            spellCheck={false}
            className="font-mono text-xs"
          />
        )}
      </Field>
      <Field label="Idempotency key" optional hint="Requests with the same key create one event.">
        {(control) => (
          <Input
            {...control}
            value={idempotencyKey}
            onChange={(event) => setIdempotencyKey(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            className="h-8 font-mono text-xs"
          />
        )}
      </Field>
      <p className="text-muted text-sm">
        Only an API key can send events. This form creates the key “{KEY_NAME}”, which expires in an hour.
      </p>
      <Button
        type="submit"
        variant="primary"
        loading={pending}
        disabledReason={
          projectId === undefined ? 'Create a project first.' : roleDisabledReason(owner?.role, 'api_key.manage')
        }
        className="justify-self-start"
      >
        Send event
      </Button>
      <InlineError what="We couldn’t send the event" error={error} />
      {sent === null ? null : <TryResponse result={sent.result} />}
      {sent?.eventId ? (
        <p className="text-sm">
          <TextLink href={`/projects/${sent.projectId}/events/${sent.eventId}`} prefetch={false}>
            Open the event
          </TextLink>
        </p>
      ) : null}
    </form>
  );
}

async function makeKey(projectId: string): Promise<string> {
  const expiresAt = new Date(Date.now() + KEY_LIFE_MS).toISOString();
  const body = { name: KEY_NAME, scope: 'READ_WRITE', expiresAt };
  return (await apiFetch<CreatedApiKey>(`/projects/${projectId}/api-keys`, { method: 'POST', body })).key;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function idOf({ status, text }: TryResult): string | null {
  return status === 202 ? (JSON.parse(text) as { id: string }).id : null;
}
