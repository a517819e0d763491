'use client';

import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { RedirectSignedIn } from '@/components/auth-session/redirect-signed-in';
import { sendRequest } from '@/components/auth-session/request';
import { loginPath, safeReturnTo } from '@/components/auth-session/return-to';
import { signIn } from '@/components/auth-session/session';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { PasswordInput } from '@/components/ui/password-input';
import type { SignInProvider } from '@/lib/idp/schema';
import { AuthHeading } from './auth-heading';
import { ContinueWith } from './continue-with';
import { CoolDownNotice } from './cool-down-notice';
import { isMismatch, LoginError } from './login-error';
import { loginNoticeOf } from './login-notices';
import { prefillEmail, prefilledEmail } from './prefilled-email';
import { TextLink } from './text-link';
import { useCoolDown } from './use-cool-down';

/** Signing in, by password or through a provider. */
export function LoginForm({ providers }: { providers: readonly SignInProvider[] }) {
  const query = useSearchParams();
  const returnTo = safeReturnTo(query.get('returnTo'));
  const [notice, setNotice] = useState(() => loginNoticeOf(query));
  const { coolDown, isWaiting, handleRefusal, finish, end } = useCoolDown();
  const form = useApiForm({
    defaultValues: { email: prefilledEmail(), password: '' },
    send: async (values) => {
      end();
      setNotice(null);
      try {
        await signIn(() => sendRequest('/auth/login', { method: 'POST', body: values }));
        prefillEmail('');
      } catch (error) {
        if (isMismatch(error)) form.setFocus('password', { shouldSelect: true });
        if (!handleRefusal(error)) throw error;
      }
    },
  });
  const keepEmail = () => prefillEmail(form.getValues('email'));
  return (
    <>
      <RedirectSignedIn />
      <AuthHeading title="Sign in" />
      {notice === null ? null : (
        <Callout tone={notice.tone} role="status" className="mb-5">
          {notice.text}
        </Callout>
      )}
      <ContinueWith providers={providers} returnTo={returnTo} />
      <form method="post" noValidate onSubmit={form.submit} className="grid gap-4">
        <Field label="Email" error={form.fieldError('email')}>
          {(control) => (
            <Input
              {...control}
              {...form.register('email', {
                required: 'Enter your email address.',
                // A lockout is of one address: another may be tried.
                onChange: () => coolDown?.reason === 'locked' && end(),
              })}
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
        {coolDown === null ? (
          <LoginError error={form.error} onReset={keepEmail} />
        ) : (
          <CoolDownNotice coolDown={coolDown} isWaiting={isWaiting} onEnd={finish}>
            <ResetOffer reason={coolDown.reason} onReset={keepEmail} />
          </CoolDownNotice>
        )}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          loading={form.pending}
          disabledReason={isWaiting ? 'Wait until the time has passed' : undefined}
        >
          Sign in
        </Button>
      </form>
      <div className="mt-5 flex flex-wrap justify-between gap-x-6 gap-y-2 text-muted text-sm">
        <p>
          New here? <TextLink href={loginPath(returnTo, '/register')}>Create an account</TextLink>
        </p>
        <TextLink href="/forgot-password" onClick={keepEmail}>
          Forgot password?
        </TextLink>
      </div>
    </>
  );
}

function ResetOffer({ reason, onReset }: { reason: 'locked' | 'rate-limited'; onReset: () => void }) {
  const link = (text: string) => (
    <TextLink href="/forgot-password" onClick={onReset} className="underline">
      {text}
    </TextLink>
  );
  if (reason === 'locked') return <>Or {link('set a new password')}: that ends the wait at once.</>;
  return <>Forgot the password? {link('Set a new one')}.</>;
}
