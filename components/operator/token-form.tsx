'use client';

import { type FormEvent, useState } from 'react';
import useSWR from 'swr';
import { AuthForm, AuthHeading } from '@/components/auth/auth-form';
import { useCoolDown } from '@/components/auth/cool-down';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Brand } from '@/components/shell/logo';
import { Callout } from '@/components/ui/callout';
import { CodeBlock } from '@/components/ui/code-block';
import { Field } from '@/components/ui/field';
import { PasswordInput } from '@/components/ui/input';
import { isOperatorDisabled, isWrongToken, sendAsOperator } from './operator-context';

/** Asks for the operator token, or explains how to set one. */
export function TokenForm({ wasRefused, onToken }: { wasRefused: boolean; onToken: (token: string) => void }) {
  // A request without a token gets 401 when PLATFORM_ADMIN_TOKEN is set, and 404 when it is not.
  const { error: probe } = useSWR('operator probe', () => sendAsOperator(null, '/stats'), {
    revalidateOnFocus: false,
    shouldRetryOnError: false,
  });
  return (
    <main className="mx-auto w-full max-w-md px-5 py-10 sm:py-[14vh]">
      <Brand className="mb-8" />
      {isOperatorDisabled(probe) ? <OperatorDisabled /> : <AskForToken wasRefused={wasRefused} onToken={onToken} />}
    </main>
  );
}

/** Checks a token against the statistics, which contain no personal data. */
function AskForToken({ wasRefused, onToken }: { wasRefused: boolean; onToken: (token: string) => void }) {
  const coolDown = useCoolDown();
  const { pending, error, run } = useAsyncAction();
  const [typed, setTyped] = useState('');
  const token = typed.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token === '' || pending) return;
    void run(async () => {
      if (await coolDown.attempt(() => sendAsOperator(token, '/stats'))) onToken(token);
    });
  };
  const isWrong = isWrongToken(error) || (error === undefined && wasRefused);
  const refusal = isWrongToken(error) ? 'That token is incorrect.' : 'This token is no longer valid.';
  return (
    <>
      <AuthHeading title="Operator">Manage all organizations and users of this deployment.</AuthHeading>
      <AuthForm
        form={{ submit, pending, error: isWrong ? undefined : error }}
        coolDown={coolDown}
        errorTitle="We couldn’t check the token"
        submitLabel="Open"
        disabledReason={token === '' ? 'Enter the token first' : undefined}
      >
        <Field
          label="Platform admin token"
          hint="Kept in memory only. Reloading the page clears it."
          error={isWrong ? refusal : undefined}
        >
          {(control) => (
            <PasswordInput
              {...control}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              // Browsers must not offer to save the token.
              autoComplete="off"
              className="h-10"
            />
          )}
        </Field>
      </AuthForm>
      <Callout tone="accent" className="mt-6">
        Every user search and every change is recorded in the audit log.
      </Callout>
    </>
  );
}

/** Explains how to enable the operator API in a deployment without a token. */
function OperatorDisabled() {
  return (
    <>
      <AuthHeading title="Operator">The operator page is disabled in this deployment.</AuthHeading>
      <p className="mb-3 text-sm">
        Set <code className="font-mono">PLATFORM_ADMIN_TOKEN</code> to a random string of at least 24 characters in the
        web process’s environment, then restart it:
      </p>
      <CodeBlock
        label="Enable the operator page"
        language="shell"
        code={'PLATFORM_ADMIN_TOKEN="$(openssl rand -base64 32)"'}
      />
      <p className="mt-3 text-muted text-sm">
        Until then, every path under <code className="font-mono">/api/v1/admin</code> answers 404.
      </p>
    </>
  );
}
