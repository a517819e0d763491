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
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { PasswordInput } from '@/components/ui/password-input';
import type { SignedIn } from '@/lib/auth/schema';
import { CoolDownNotice } from './cool-down-notice';
import { useCoolDown } from './use-cool-down';

const EMPTY = { name: '', organizationName: '', email: '', password: '' };

/** An account, and the organization it owns. */
export function RegisterForm() {
  const returnTo = safeReturnTo(useSearchParams().get('returnTo'));
  const { coolDown, heed, end } = useCoolDown();
  const form = useApiForm({
    defaultValues: EMPTY,
    send: async (values) => {
      end();
      try {
        acceptSession((await sendRequest('/auth/register', { method: 'POST', body: filled(values) })) as SignedIn);
      } catch (error) {
        if (!heed(error)) throw error;
      }
    },
  });
  const taken = form.error instanceof ApiError && form.error.code === 'email_taken';
  return (
    <>
      <RedirectSignedIn />
      <h1 className="font-semibold text-2xl tracking-tight">Create your account</h1>
      <p className="mt-1 text-muted text-sm">You get an organization of your own; others can be invited later.</p>
      <form noValidate onSubmit={form.submit} className="mt-6 grid gap-4">
        <Field label="Email" error={taken ? 'This address has an account already.' : form.fieldError('email')}>
          {(control) => (
            <Input
              {...control}
              {...form.register('email', { required: 'Enter your email address.' })}
              type="email"
              autoComplete="email"
              className="h-10"
            />
          )}
        </Field>
        <Field
          label="Password"
          error={form.fieldError('password')}
          hint="Long beats complicated: a few unrelated words do well."
        >
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register('password', { required: 'Choose a password.' })}
              autoComplete="new-password"
              className="h-10"
            />
          )}
        </Field>
        <Field label="Your name" optional error={form.fieldError('name')}>
          {(control) => <Input {...control} {...form.register('name')} autoComplete="name" className="h-10" />}
        </Field>
        <Field label="Organization" optional error={form.fieldError('organizationName')}>
          {(control) => (
            <Input {...control} {...form.register('organizationName')} autoComplete="organization" className="h-10" />
          )}
        </Field>
        {coolDown ? <CoolDownNotice coolDown={coolDown} onEnd={end} /> : null}
        {taken ? null : <InlineError what="The account could not be created" error={form.error} />}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          loading={form.pending}
          disabledReason={coolDown === null ? undefined : 'Wait until the time has passed'}
        >
          Create account
        </Button>
      </form>
      <p className="mt-6 text-muted text-sm">
        Have an account?{' '}
        <Link href={loginPath(returnTo)} className="font-medium text-accent-text hover:underline">
          Sign in
        </Link>
      </p>
    </>
  );
}

/** Without what was left empty: the API takes an optional field or none, but no empty one. */
function filled(values: typeof EMPTY): Partial<typeof EMPTY> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => name === 'password' || value.trim() !== ''),
  );
}
