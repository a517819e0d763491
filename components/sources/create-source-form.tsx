'use client';

import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { SourceProvider } from '@/lib/incoming/schema';
import { ProviderChoice } from './provider-choice';
import { PROVIDERS, type SecretMaker } from './providers';
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
