'use client';

import { useSearchParams } from 'next/navigation';
import { RedirectSignedIn } from '@/components/auth-session/redirect-signed-in';
import { sendRequest } from '@/components/auth-session/request';
import { loginPath, safeReturnTo } from '@/components/auth-session/return-to';
import { signIn } from '@/components/auth-session/session';
import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { PasswordInput } from '@/components/ui/password-input';
import type { SignInProvider } from '@/lib/idp/schema';
import { AuthHeading } from './auth-heading';
import { ContinueWith } from './continue-with';
import { CoolDownNotice } from './cool-down-notice';
import { EmailTaken, isEmailTaken } from './email-taken';
import { FocusedNotice } from './focused-notice';
import { prefillEmail, prefilledEmail } from './prefilled-email';
import { TextLink } from './text-link';
import { useCoolDown } from './use-cool-down';

interface Registration {
  name: string;
  organizationName: string;
  email: string;
  password: string;
}

/** An account, and the organization it owns. */
export function RegisterForm({ providers }: { providers: readonly SignInProvider[] }) {
  const returnTo = safeReturnTo(useSearchParams().get('returnTo'));
  const { coolDown, isWaiting, handleRefusal, finish, end } = useCoolDown();
  const form = useApiForm({
    defaultValues: { name: '', organizationName: '', email: prefilledEmail(), password: '' },
    send: async (values) => {
      end();
      try {
        await signIn(() => sendRequest('/auth/register', { method: 'POST', body: filled(values) }));
        prefillEmail('');
      } catch (error) {
        if (isEmailTaken(error)) form.setFocus('email', { shouldSelect: true });
        if (!handleRefusal(error)) throw error;
      }
    },
  });
  const taken = isEmailTaken(form.error);
  return (
    <>
      <RedirectSignedIn />
      <AuthHeading title="Create your account">
        You get an organization of your own; others can be invited later.
      </AuthHeading>
      <ContinueWith providers={providers} returnTo={returnTo} />
      <form method="post" noValidate onSubmit={form.submit} className="grid gap-4">
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
        {coolDown ? <CoolDownNotice coolDown={coolDown} isWaiting={isWaiting} onEnd={finish} /> : null}
        {taken ? <EmailTaken returnTo={returnTo} onLeave={() => prefillEmail(form.getValues('email'))} /> : null}
        {taken || form.error === undefined ? null : (
          <FocusedNotice>
            <InlineError what="The account could not be created" error={form.error} />
          </FocusedNotice>
        )}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          loading={form.pending}
          disabledReason={isWaiting ? 'Wait until the time has passed' : undefined}
        >
          Create account
        </Button>
      </form>
      <p className="mt-5 text-muted text-sm">
        Have an account? <TextLink href={loginPath(returnTo)}>Sign in</TextLink>
      </p>
    </>
  );
}

/** Without what was left empty: the API takes an optional field or none, but no empty one. */
function filled(values: Registration): Partial<Registration> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => name === 'password' || value.trim() !== ''),
  );
}
