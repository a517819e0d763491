'use client';

import { useSearchParams } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { ApiError } from '@/components/auth-session/api-error';
import { RedirectSignedIn } from '@/components/auth-session/redirect-signed-in';
import { sendRequest } from '@/components/auth-session/request';
import { loginPath, safeReturnTo } from '@/components/auth-session/return-to';
import { signIn } from '@/components/auth-session/session';
import { useApiForm } from '@/components/form/use-api-form';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { PasswordInput } from '@/components/ui/input';
import { TextLink } from '@/components/ui/link';
import type { Registration } from '@/lib/auth/registration-policy';
import type { SignInProvider } from '@/lib/idp/schema';
import { AuthForm, AuthHeading, ContinueWith, EmailField, prefillEmail, prefilledEmail } from './auth-form';
import { type CoolDown, FocusedNotice, useCoolDown } from './cool-down';
import { type LoginNotice, REGISTRATION_NOTES } from './login-notices';
import { useIsMailSent } from './mail-sent';

/** Signs a person in with a password or through an identity provider. */
export function LoginForm({
  providers,
  registration,
  notice: firstNotice,
}: {
  providers: readonly SignInProvider[];
  registration: Registration;
  /** What happened before; chosen by the server, so that browsers load only this text. */
  notice: LoginNotice | null;
}) {
  const query = useSearchParams();
  const returnTo = safeReturnTo(query.get('returnTo'));
  const [notice, setNotice] = useState(firstNotice);
  const coolDown = useCoolDown();
  const form = useApiForm({
    defaultValues: { email: prefilledEmail(), password: '' },
    send: async (values) => {
      setNotice(null);
      try {
        await coolDown.attempt(() => signIn(() => sendRequest('/auth/login', { method: 'POST', body: values })));
        prefillEmail('');
      } catch (error) {
        if (isMismatch(error)) form.setFocus('password', { shouldSelect: true });
        throw error;
      }
    },
  });
  const isMailSent = useIsMailSent();
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
      <AuthForm
        form={form}
        coolDown={coolDown}
        coolDownAdvice={<ResetOffer reason={coolDown.current?.reason} onReset={keepEmail} />}
        errorTitle="We couldn’t sign you in"
        errorNotice={loginErrorNotice(form.error, isMailSent, keepEmail)}
        submitLabel="Sign in"
      >
        <EmailField
          control={form.register('email', {
            required: 'Enter your email address.',
            // A lockout applies to one address: another one can be tried.
            onChange: () => coolDown.current?.reason === 'locked' && coolDown.end(),
          })}
          error={form.fieldError('email')}
          autoComplete="username"
        />
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
      </AuthForm>
      <div className="mt-5 flex flex-wrap justify-between gap-x-6 gap-y-2 text-muted text-sm">
        <p>
          {registration === 'open' ? (
            <>
              New here? <TextLink href={loginPath(returnTo, '/register')}>Create an account</TextLink>
            </>
          ) : (
            REGISTRATION_NOTES[registration]
          )}
        </p>
        <TextLink href="/forgot-password" onClick={keepEmail}>
          Forgot password?
        </TextLink>
      </div>
    </>
  );
}

/** Offers a password link to a person who has to wait. `onReset` runs before the link is followed. */
function ResetOffer({ reason, onReset }: { reason: CoolDown['reason'] | undefined; onReset: () => void }) {
  const link = (text: string) => (
    <TextLink href="/forgot-password" onClick={onReset} className="underline">
      {text}
    </TextLink>
  );
  if (reason === 'locked') return <>Or {link('set a new password')} to unlock the account now.</>;
  return <>Forgot your password? {link('Set a new one')}.</>;
}

/** Whether the password must be confirmed by email first; see docs/specification.md#identity-provider. */
function isUnconfirmed(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'password_unconfirmed';
}

/** Whether the password is wrong or the address unknown: the API does not tell which. */
function isMismatch(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_credentials';
}

/**
 * Returns what the form shows for a refused sign-in; undefined for an error that needs no notice of its own.
 * `onReset` runs before the link to set a new password is followed.
 */
function loginErrorNotice(error: unknown, isMailSent: boolean, onReset: () => void): ReactNode | undefined {
  if (isMismatch(error)) {
    return (
      <Callout tone="danger" role="alert">
        Incorrect email or password.
      </Callout>
    );
  }
  if (!isUnconfirmed(error)) return undefined;
  return (
    <FocusedNotice>
      <Callout tone="warning" role="alert">
        <p className="font-medium">Confirm this password first.</p>
        <p className="mt-1">
          {isMailSent
            ? 'We sent you an email with a link to confirm it. If you didn’t set this password, or the email doesn’t arrive,'
            : 'This server doesn’t send email: ask whoever runs it for the link to confirm it. If you didn’t set this password,'}{' '}
          <TextLink href="/forgot-password" onClick={onReset} className="underline">
            set a new one
          </TextLink>
          .
        </p>
      </Callout>
    </FocusedNotice>
  );
}
