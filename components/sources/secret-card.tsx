'use client';

import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { formatAbsolute } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { toast } from '@/components/ui/toast';
import type { SourceProvider } from '@/lib/incoming/schema';
import { PROVIDERS } from './providers';
import { useSourceScope } from './source-context';

const MASK = '••••••••••••••••••••••••••••••••';

/** The secret that verifies requests, masked until it is shown. A source without one says where to set it. */
export function SecretCard() {
  const { source, secret, secretDisabledReason } = useSourceScope();
  const [asking, setAsking] = useState(false);
  if (!source.hasSecret) return null;
  const { secretMaker } = PROVIDERS[source.provider];
  const { shown } = secret;
  const Icon = shown === null ? Eye : EyeOff;
  const rotate = async (given?: string) => {
    await secret.rotate(given);
    setAsking(false);
    toast.success(given === undefined ? 'Secret rotated. Update the sender with the new one.' : 'Secret replaced.');
  };
  return (
    <Card
      title="Signing secret"
      description="We use it to verify requests. Viewing or rotating it is recorded in the audit log."
      actions={
        <>
          <Button
            size="sm"
            loading={secret.pending}
            disabledReason={secretDisabledReason}
            onClick={() => (shown === null ? void secret.show() : secret.hide())}
          >
            <Icon aria-hidden="true" />
            {shown === null ? 'Show' : 'Hide'}
          </Button>
          <Button size="sm" disabledReason={secretDisabledReason} onClick={() => setAsking(true)}>
            <RefreshCw aria-hidden="true" />
            {secretMaker === 'provider' ? 'Replace' : 'Rotate'}
          </Button>
        </>
      }
    >
      <p className="flex min-w-0 items-center gap-1">
        <code className="min-w-0 break-all font-mono text-sm">{shown ?? MASK}</code>
        {shown === null ? null : <CopyButton text={shown} label="Copy the signing secret" />}
      </p>
      {source.previousSecretExpiresAt ? (
        <Callout tone="accent" className="mt-3">
          The previous secret works until {formatAbsolute(new Date(source.previousSecretExpiresAt))}.
        </Callout>
      ) : null}
      <InlineError what="We couldn’t show the secret" error={secret.error} className="mt-3" />
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={secretMaker === 'provider' ? 'Replace the signing secret' : 'Rotate the signing secret'}
      >
        <RotateSecretForm provider={source.provider} send={rotate} />
      </Dialog>
    </Card>
  );
}

/** Replaces the secret of a source: with the provider's new one, or with a generated one. */
function RotateSecretForm({
  provider,
  send,
}: {
  provider: SourceProvider;
  /** Undefined generates a secret. */
  send: (secret: string | undefined) => Promise<unknown>;
}) {
  const { name, secretMaker } = PROVIDERS[provider];
  const isTheirs = secretMaker === 'provider';
  const form = useApiForm({
    defaultValues: { secret: '' },
    send: ({ secret }) => send(secret.trim() === '' ? undefined : secret.trim()),
  });
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <p className="text-sm">Both secrets work for 24 hours, so you won’t lose any events.</p>
      <Field
        label="New secret"
        optional={!isTheirs}
        error={form.fieldError('secret')}
        hint={isTheirs ? `Rotate the secret in ${name}, then paste the new one here.` : 'Leave blank to generate one.'}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('secret', isTheirs ? { required: 'Paste the new secret.' } : {})}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono"
          />
        )}
      </Field>
      <DialogSubmit
        label={isTheirs ? 'Replace secret' : 'Rotate secret'}
        failure="We couldn’t replace the secret"
        error={form.error}
        pending={form.pending}
      />
    </form>
  );
}
