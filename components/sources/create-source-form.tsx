'use client';

import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { cn } from '@/components/ui/cn';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { SourceProvider } from '@/lib/incoming/schema';
import { ProviderMark } from './provider-mark';
import { PROVIDER_IDS, PROVIDERS, type SecretMaker } from './providers';
import { SignatureFields } from './signature-fields';
import { type SignatureValues, signatureValuesOf } from './signature-values';
import type { NewSource } from './use-sources';

interface CreateSourceValues extends SignatureValues {
  name: string;
  provider: SourceProvider;
  secret: string;
}

const NEXT: Record<SecretMaker, (name: string) => string> = {
  us: (name) =>
    `We’ll generate a signing secret. The next page shows where ${name === 'GitHub' ? 'GitHub' : 'the sender'} needs it.`,
  provider: (name) =>
    `${name} generates the signing secret. The next page shows where to find it and where to paste it.`,
  nobody: () => 'Anyone with the URL can send events to it. Choose this only if the sender can’t sign requests.',
};

/** Asks for the provider and the name of a new source, and for what that provider needs. */
export function CreateSourceForm({ send }: { send: (body: NewSource) => Promise<unknown> }) {
  const form = useApiForm<CreateSourceValues>({
    defaultValues: { name: PROVIDERS.GITHUB.name, provider: 'GITHUB', secret: '', ...signatureValuesOf() },
    send: ({ name, provider, secret, signatureHeader, signatureEncoding, signaturePrefix }) =>
      send({
        name: name.trim(),
        provider,
        ...(secret.trim() === '' || !takesSecret(provider) ? {} : { secret: secret.trim() }),
        ...(provider === 'GENERIC_HMAC'
          ? { signatureHeader: signatureHeader.trim(), signatureEncoding, signaturePrefix: signaturePrefix.trim() }
          : {}),
      }),
  });
  const provider = form.watch('provider');
  const choose = (chosen: SourceProvider) => {
    // Keeps a name that the person typed.
    if (form.getValues('name') === PROVIDERS[provider].name) form.setValue('name', PROVIDERS[chosen].name);
    form.setValue('provider', chosen);
  };
  return (
    <form noValidate onSubmit={form.submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ProviderChoice value={provider} onChange={choose} />
      <Field
        label="Name"
        error={form.fieldError('name')}
        hint={NEXT[PROVIDERS[provider].secretMaker](PROVIDERS[provider].name)}
      >
        {(control) => (
          <Input {...control} {...form.register('name', { required: 'Give the source a name.' })} autoComplete="off" />
        )}
      </Field>
      {provider === 'GENERIC_HMAC' ? (
        <SignatureFields values={form.watch()} onChange={form.setSome} errorOf={form.fieldError} />
      ) : null}
      {takesSecret(provider) ? (
        <Field
          label="Signing secret"
          optional
          error={form.fieldError('secret')}
          hint="Leave blank to generate one. Enter one only if the sender already has it."
        >
          {(control) => (
            <Input
              {...control}
              {...form.register('secret')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono"
            />
          )}
        </Field>
      ) : null}
      <DialogSubmit
        label="Create source"
        failure="We couldn’t create the source"
        error={form.error}
        pending={form.pending}
      />
    </form>
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
