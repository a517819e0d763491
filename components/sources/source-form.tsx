'use client';

import { useState } from 'react';
import { changed } from '@/components/form/changed';
import { CODE, DialogForm, SwitchField, TextField } from '@/components/form/form-fields';
import { SelectField } from '@/components/form/select-field';
import { type ApiForm, useApiForm } from '@/components/form/use-api-form';
import { cn } from '@/components/ui/cn';
import { Input } from '@/components/ui/input';
import type { Source, SourceProvider, UpdateSourceBody } from '@/lib/incoming/schema';
import {
  DEFAULT_HEADERS,
  exampleHeader,
  exampleToken,
  findProviders,
  isNamed,
  PROVIDERS,
  ProviderMark,
  type SignatureValues,
  signatureValuesOf,
} from './providers';
import type { NewSource } from './use-sources';

const NAME_RULES = { required: 'Give the source a name.' };

/** What the person does after creating a source, by who makes its secret. */
const NEXT = {
  us: (name: string) => `We’ll generate a signing secret. The next page shows where ${name} needs it.`,
  provider: (name: string) =>
    `${name} generates the signing secret. The next page shows where to find it and where to paste it.`,
  nobody: () => 'Anyone with the URL can send events to it. Choose this only if the sender can’t sign requests.',
};

/** Asks for the provider and the name of a new source, and for what that provider needs. */
export function CreateSourceForm({ send }: { send: (body: NewSource) => Promise<unknown> }) {
  const form = useApiForm({
    defaultValues: {
      name: PROVIDERS.GITHUB.name,
      provider: 'GITHUB' as SourceProvider,
      secret: '',
      ...signatureValuesOf(),
    },
    send: ({ name, provider, secret, ...signature }) =>
      send({
        name: name.trim(),
        provider,
        ...(secret.trim() === '' || !takesSecret(provider) ? {} : { secret: secret.trim() }),
        ...signatureBodyOf(provider, signature),
      }),
  });
  const provider = form.watch('provider');
  const choose = (chosen: SourceProvider) => {
    // Keeps a name that the person typed.
    if (form.getValues('name') === PROVIDERS[provider].name) form.setValue('name', PROVIDERS[chosen].name);
    const header = DEFAULT_HEADERS[chosen];
    if (
      header !== undefined &&
      form.getValues('signatureHeader') === DEFAULT_HEADERS[provider === 'TOKEN' ? 'TOKEN' : 'GENERIC_HMAC']
    ) {
      form.setValue('signatureHeader', header);
    }
    form.setValue('provider', chosen);
  };
  return (
    <DialogForm form={form} label="Create source" failure="We couldn’t create the source">
      <ProviderChoice value={provider} onChange={choose} />
      <TextField
        form={form}
        name="name"
        rules={NAME_RULES}
        label="Name"
        hint={NEXT[PROVIDERS[provider].secretMaker](isNamed(provider) ? PROVIDERS[provider].name : 'the sender')}
      />
      <SignatureFields provider={provider} form={form} />
      {takesSecret(provider) ? (
        <TextField
          form={form}
          name="secret"
          label="Signing secret"
          optional
          hint="Leave blank to generate one. Enter one only if the sender already has it."
          {...CODE}
        />
      ) : null}
    </DialogForm>
  );
}

/** Whether the form asks for a secret: a sender that is not one of the providers may have one that cannot be changed. */
function takesSecret(provider: SourceProvider): boolean {
  return provider !== 'NONE' && !isNamed(provider);
}

/** The providers as radio buttons: arrow keys choose. A text shows those that match it; the list keeps its height. */
function ProviderChoice({ value, onChange }: { value: SourceProvider; onChange: (provider: SourceProvider) => void }) {
  const [text, setText] = useState('');
  const found = findProviders(text, value);
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-2 font-medium text-sm">Provider</legend>
      <Input
        type="search"
        aria-label="Find a provider"
        placeholder="Find a provider"
        value={text}
        onChange={({ target }) => setText(target.value)}
        // Enter would create the source.
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <p role="status" className="sr-only">
        {text === '' ? '' : `${found.length} ${found.length === 1 ? 'provider' : 'providers'}`}
      </p>
      <div className="-m-1 grid h-72 min-w-0 content-start gap-2 overflow-y-auto p-1 sm:grid-cols-2">
        {found.map((provider) => (
          <label
            key={provider}
            className={cn(
              'flex min-w-0 cursor-pointer items-center gap-3 rounded-lg border px-3 py-2.5 text-sm hover:border-border-strong has-focus-visible:outline-2 has-focus-visible:outline-accent-text has-focus-visible:outline-offset-2',
              provider === value && 'border-accent bg-accent-subtle hover:border-accent',
            )}
          >
            <input
              type="radio"
              name="provider"
              value={provider}
              checked={provider === value}
              onChange={() => onChange(provider)}
              className="sr-only"
            />
            <ProviderMark provider={provider} size="md" />
            <span className="min-w-0">
              <span className="block font-medium">{PROVIDERS[provider].name}</span>
              <span className="block text-muted text-xs">{PROVIDERS[provider].summary}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Edits the name, the state and, for a generic HMAC, the signature of a source. Its provider cannot change. */
export function EditSourceForm({
  source,
  send,
}: {
  source: Source;
  send: (body: UpdateSourceBody) => Promise<unknown>;
}) {
  const form = useApiForm({
    defaultValues: { name: source.name, enabled: source.enabled, ...signatureValuesOf(source) },
    send: (values, shown) => send(changed(sourceBodyOf(source, values), sourceBodyOf(source, shown))),
  });
  return (
    <DialogForm form={form} label="Save source" failure="We couldn’t save the source">
      {/* The form is loaded after its dialog has opened. */}
      <TextField form={form} name="name" rules={NAME_RULES} label="Name" autoFocus />
      <SignatureFields provider={source.provider} form={form} />
      <SwitchField
        form={form}
        name="enabled"
        label="Enabled"
        hint="Requests to a disabled source get a 404. Some providers then stop sending."
      />
    </DialogForm>
  );
}

const ENCODINGS = [
  { value: 'hex', label: 'Hexadecimal' },
  { value: 'base64', label: 'Base64' },
] as const;

const ALGORITHMS = [
  { value: 'SHA256', label: 'SHA-256' },
  { value: 'SHA1', label: 'SHA-1' },
  { value: 'SHA512', label: 'SHA-512' },
] as const;

const SECRET_ENCODINGS = [
  { value: 'text', label: 'Text' },
  { value: 'hex', label: 'Hexadecimal' },
  { value: 'base64', label: 'Base64' },
] as const;

/** How a custom sender signs its requests. Nothing for a provider that fixes it. */
function SignatureFields<Values extends SignatureValues>({
  provider,
  form,
}: {
  provider: SourceProvider;
  form: ApiForm<Values>;
}) {
  const values: SignatureValues = form.watch();
  // What was saved stays in sight; typing does not open or close it.
  const [isSpecial] = useState(() => hasSpecialForm(provider, values));
  if (provider !== 'GENERIC_HMAC' && provider !== 'TOKEN') return null;
  const isToken = provider === 'TOKEN';
  return (
    <div className="grid gap-3 rounded-lg border bg-sunken/50 p-3.5">
      <div className={cn('grid gap-4', isToken ? 'sm:grid-cols-2' : 'sm:grid-cols-3')}>
        <TextField
          form={form}
          name="signatureHeader"
          label={isToken ? 'Header of the secret' : 'Signature header'}
          {...CODE}
        />
        {isToken ? null : <SelectField form={form} name="signatureEncoding" label="Encoding" options={ENCODINGS} />}
        <TextField
          form={form}
          name="signaturePrefix"
          label="Prefix"
          optional
          placeholder={isToken ? 'Bearer' : 'sha256='}
          {...CODE}
        />
      </div>
      <p className="text-muted text-sm">
        Requests carry{' '}
        <code className="break-all font-mono text-text text-xs">
          {isToken ? exampleToken(values) : exampleHeader(values)}
        </code>
      </p>
      <details className="group" open={isSpecial}>
        <summary className="cursor-pointer rounded-sm text-sm font-medium">
          {isToken ? 'Retries' : 'Hash, timestamp, and what is signed'}
        </summary>
        <div className="mt-3 grid gap-4">{isToken ? <IdField form={form} /> : <TemplateFields form={form} />}</div>
      </details>
    </div>
  );
}

function IdField<Values extends SignatureValues>({ form }: { form: ApiForm<Values> }) {
  return (
    <TextField
      form={form}
      name="idHeader"
      label="ID header"
      optional
      placeholder="X-Event-Id"
      hint="Recognizes retries: an ID that was received before isn’t forwarded again."
      {...CODE}
    />
  );
}

/** What a generic HMAC signs, with which hash, and where it finds the time. */
function TemplateFields<Values extends SignatureValues>({ form }: { form: ApiForm<Values> }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField form={form} name="signatureAlgorithm" label="Hash" options={ALGORITHMS} />
        <SelectField form={form} name="secretEncoding" label="Secret is" options={SECRET_ENCODINGS} />
      </div>
      <TextField
        form={form}
        name="signedContent"
        label="Signed content"
        placeholder="{timestamp}.{body}"
        hint="{body} once, and with it {timestamp}, {id}, {url} and {method}."
        {...CODE}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          form={form}
          name="timestampHeader"
          label="Timestamp header"
          optional
          placeholder="X-Timestamp"
          {...CODE}
        />
        <TextField form={form} name="timestampKey" label="Timestamp key" optional placeholder="t" {...CODE} />
        <TextField form={form} name="signatureKey" label="Signature key" optional placeholder="v1" {...CODE} />
      </div>
      <p className="text-muted text-sm">
        Keys are for a header with a list, such as <code className="font-mono text-xs">t=1700000000,v1=…</code>
      </p>
      <IdField form={form} />
    </>
  );
}

const PLAIN = signatureValuesOf();
const BASIC = ['signatureHeader', 'signatureEncoding', 'signaturePrefix'];

/** Whether a source signs in a way that only the closed part of the form shows. */
function hasSpecialForm(provider: SourceProvider, values: SignatureValues): boolean {
  if (provider === 'TOKEN') return values.idHeader !== '';
  return (Object.keys(PLAIN) as (keyof SignatureValues)[]).some(
    (name) => !BASIC.includes(name) && values[name] !== PLAIN[name],
  );
}

/** Returns the request body for what the form of a source has. */
export function sourceBodyOf(
  { provider }: Pick<Source, 'provider'>,
  { name, enabled, ...signature }: SignatureValues & { name: string; enabled: boolean },
): UpdateSourceBody {
  return { name: name.trim(), enabled, ...signatureBodyOf(provider, signature) };
}

function signatureBodyOf(provider: SourceProvider, values: SignatureValues): Partial<SignatureValues> {
  const { signatureHeader, signaturePrefix, idHeader, ...hmac } = values;
  const shared = {
    signatureHeader: signatureHeader.trim(),
    signaturePrefix: signaturePrefix.trim(),
    idHeader: idHeader.trim(),
  };
  if (provider === 'TOKEN') return shared;
  if (provider !== 'GENERIC_HMAC') return {};
  return {
    ...shared,
    ...hmac,
    signatureKey: hmac.signatureKey.trim(),
    timestampHeader: hmac.timestampHeader.trim(),
    timestampKey: hmac.timestampKey.trim(),
  };
}
