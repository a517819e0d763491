'use client';

import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useApiForm } from '@/components/form/use-api-form';
import { ApiError } from '@/components/session/api-error';
import { RedirectSignedIn } from '@/components/session/redirect-signed-in';
import { sendRequest } from '@/components/session/request';
import { loginPath, safeReturnTo } from '@/components/session/return-to';
import { acceptSession } from '@/components/session/session';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { PasswordInput } from '@/components/ui/password-input';
import type { SignedIn } from '@/lib/auth/schema';
import { CoolDownNotice } from './cool-down-notice';
import { useCoolDown } from './use-cool-down';

/** Signing in by password. One text for a wrong password and an unknown address. */
export function LoginForm() {
  const returnTo = safeReturnTo(useSearchParams().get('returnTo'));
  const { coolDown, heed, end } = useCoolDown();
  const form = useApiForm({
    defaultValues: { email: '', password: '' },
    send: async (values) => {
      end();
      try {
        acceptSession((await sendRequest('/auth/login', { method: 'POST', body: values })) as SignedIn);
      } catch (error) {
        if (!heed(error)) throw error;
      }
    },
  });
  return (
    <>
      <RedirectSignedIn />
      <h1 className="font-semibold text-2xl tracking-tight">Sign in</h1>
      <form noValidate onSubmit={form.submit} className="mt-6 grid gap-4">
        <Field label="Email" error={form.fieldError('email')}>
          {(control) => (
            <Input
              {...control}
              {...form.register('email', { required: 'Enter your email address.' })}
              type="email"
              autoComplete="username"
              className="h-10"
            />
          )}
        </Field>
        <Field label="Password" error={form.fieldError('password')}>
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register('password', { required: 'Enter your password.' })}
              autoComplete="current-password"
              className="h-10"
            />
          )}
        </Field>
        {coolDown === null ? <LoginError error={form.error} /> : <CoolDownNotice coolDown={coolDown} onEnd={end} />}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          loading={form.pending}
          disabledReason={coolDown === null ? undefined : 'Wait until the time has passed'}
        >
          Sign in
        </Button>
      </form>
      <p className="mt-4 text-muted text-sm">
        New here?{' '}
        <Link href={loginPath(returnTo, '/register')} className="font-medium text-accent-text hover:underline">
          Create an account
        </Link>
      </p>
    </>
  );
}

function LoginError({ error }: { error: unknown }) {
  if (error instanceof ApiError && error.code === 'invalid_credentials') {
    return (
      <Callout tone="danger" role="alert">
        That email and password do not match an account.
      </Callout>
    );
  }
  return <InlineError what="You could not be signed in" error={error} />;
}
