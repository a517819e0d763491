'use client';

import { CODE, DialogForm, SwitchField, TextField } from '@/components/form/form-fields';
import { SelectField } from '@/components/form/select-field';
import { type ApiForm, useApiForm } from '@/components/form/use-api-form';
import { cn } from '@/components/ui/cn';
import type { Source, SourceProvider, UpdateSourceBody } from '@/lib/incoming/schema';
import {
  exampleHeader,
  PROVIDER_IDS,
  PROVIDERS,
  ProviderMark,
  type SignatureValues,
  signatureValuesOf,
} from './providers';
import type { NewSource } from './use-sources';

const NAME_RULES = { required: 'Give the source a name.' };

/** What the person does after creating a source, by who makes its secret. */
const NEXT = {
  us: (name: string) =>
    `We’ll generate a signing secret. The next page shows where ${name === 'GitHub' ? 'GitHub' : 'the sender'} needs it.`,
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
        hint={NEXT[PROVIDERS[provider].secretMaker](PROVIDERS[provider].name)}
      />
      {provider === 'GENERIC_HMAC' ? <SignatureFields form={form} /> : null}
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

/** Whether the form asks for a secret: senders other than GitHub may have one that cannot be changed. */
function takesSecret(provider: SourceProvider): boolean {
  return provider === 'GENERIC_HMAC' || provider === 'STANDARD_WEBHOOKS';
}

/** The providers as radio buttons: arrow keys choose. */
function ProviderChoice({ value, onChange }: { value: SourceProvider; onChange: (provider: SourceProvider) => void }) {
  return (
    <fieldset className="grid min-w-0 gap-2 sm:grid-cols-2">
      <legend className="mb-2 font-medium text-sm">Provider</legend>
      {PROVIDER_IDS.map((provider) => (
        <label
          key={provider}
          className={cn(
            'flex min-w-0 cursor-pointer items-center gap-3 rounded-lg border px-3 py-2.5 text-sm hover:border-border-strong has-focus-visible:outline-2 has-focus-visible:outline-accent-text has-focus-visible:outline-offset-2',
            provider === 'NONE' && 'sm:col-span-2',
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
    send: ({ name, enabled, ...signature }) =>
      send({ name: name.trim(), enabled, ...signatureBodyOf(source.provider, signature) }),
  });
  return (
    <DialogForm form={form} label="Save source" failure="We couldn’t save the source">
      {/* The form is loaded after its dialog has opened. */}
      <TextField form={form} name="name" rules={NAME_RULES} label="Name" autoFocus />
      {source.provider === 'GENERIC_HMAC' ? <SignatureFields form={form} /> : null}
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

/** Where the signature of a generic HMAC is found: its header, encoding and prefix. */
function SignatureFields<Values extends SignatureValues>({ form }: { form: ApiForm<Values> }) {
  return (
    <div className="grid gap-3 rounded-lg border bg-sunken/50 p-3.5">
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField form={form} name="signatureHeader" label="Signature header" {...CODE} />
        <SelectField form={form} name="signatureEncoding" label="Encoding" options={ENCODINGS} />
        <TextField form={form} name="signaturePrefix" label="Prefix" optional placeholder="sha256=" {...CODE} />
      </div>
      <p className="text-muted text-sm">
        Requests carry <code className="break-all font-mono text-text text-xs">{exampleHeader(form.watch())}</code>
      </p>
    </div>
  );
}

function signatureBodyOf(provider: SourceProvider, values: SignatureValues): Partial<SignatureValues> {
  if (provider !== 'GENERIC_HMAC') return {};
  const { signatureHeader, signatureEncoding, signaturePrefix } = values;
  return { signatureHeader: signatureHeader.trim(), signatureEncoding, signaturePrefix: signaturePrefix.trim() };
}
