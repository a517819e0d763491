'use client';

import { useSearchParams } from 'next/navigation';
import { ApiError } from '@/components/auth-session/api-error';
import { RedirectSignedIn } from '@/components/auth-session/redirect-signed-in';
import { sendRequest } from '@/components/auth-session/request';
import { loginPath, safeReturnTo } from '@/components/auth-session/return-to';
import { signIn } from '@/components/auth-session/session';
import { useApiForm } from '@/components/form/use-api-form';
import { keptInvitationToken } from '@/components/orgs/invitations/use-invitation-token';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { TextLink } from '@/components/ui/link';
import type { Registration } from '@/lib/auth/registration-policy';
import type { SignInProvider } from '@/lib/idp/schema';
import { INVITATION_PATH } from '@/lib/orgs/invitation-path-policy';
import {
  AuthForm,
  AuthHeading,
  ContinueWith,
  EmailField,
  NewPasswordField,
  prefillEmail,
  prefilledEmail,
} from './auth-form';
import { useCoolDown } from './cool-down';

interface NewAccount {
  name: string;
  organizationName: string;
  email: string;
  password: string;
}

/** Creates an account and the organization it owns. */
export function RegisterForm({
  providers,
  registration,
}: {
  providers: readonly SignInProvider[];
  registration: Registration;
}) {
  const returnTo = safeReturnTo(useSearchParams().get('returnTo'));
  const isInvited = returnTo === INVITATION_PATH;
  const coolDown = useCoolDown();
  const form = useApiForm({
    defaultValues: { name: '', organizationName: '', email: prefilledEmail(), password: '' },
    send: async (values) => {
      const body = { ...filled(values), ...(isInvited ? invitation() : {}) };
      try {
        await coolDown.attempt(() => signIn(() => sendRequest('/auth/register', { method: 'POST', body })));
        prefillEmail('');
      } catch (error) {
        if (isEmailTaken(error)) form.setFocus('email', { shouldSelect: true });
        throw error;
      }
    },
  });
  const taken = isEmailTaken(form.error);
  if (registration === 'closed' || (registration === 'invited' && !isInvited)) {
    return <NoNewAccounts registration={registration} returnTo={returnTo} />;
  }
  return (
    <>
      <RedirectSignedIn />
      <AuthHeading title="Create your account">
        {isInvited ? 'Next, you accept the invitation.' : 'You get your own organization. Invite others anytime.'}
      </AuthHeading>
      <ContinueWith providers={providers} returnTo={returnTo} />
      <AuthForm
        form={form}
        coolDown={coolDown}
        errorTitle="We couldn’t create your account"
        errorNotice={
          taken ? <EmailTaken returnTo={returnTo} onLeave={() => prefillEmail(form.getValues('email'))} /> : undefined
        }
        submitLabel="Create account"
      >
        <EmailField
          control={form.register('email', { required: 'Enter your email address.' })}
          error={taken ? 'This email address already has an account.' : form.fieldError('email')}
          autoComplete="email"
        />
        <NewPasswordField
          label="Password"
          control={form.register('password', { required: 'Choose a password.' })}
          error={form.fieldError('password')}
          className="h-10"
        />
        <Field label="Your name" optional error={form.fieldError('name')}>
          {(control) => <Input {...control} {...form.register('name')} autoComplete="name" className="h-10" />}
        </Field>
        {isInvited ? null : (
          <Field label="Organization" optional error={form.fieldError('organizationName')}>
            {(control) => (
              <Input {...control} {...form.register('organizationName')} autoComplete="organization" className="h-10" />
            )}
          </Field>
        )}
      </AuthForm>
      <p className="mt-5 text-muted text-sm">
        Already have an account? <TextLink href={loginPath(returnTo)}>Sign in</TextLink>
      </p>
    </>
  );
}

/** Says why there is no form. */
function NoNewAccounts({ registration, returnTo }: { registration: Exclude<Registration, 'open'>; returnTo: string }) {
  return (
    <>
      <AuthHeading title={registration === 'invited' ? 'You need an invitation' : 'New accounts are closed'}>
        {registration === 'invited'
          ? 'Ask a member of your organization to invite your email address, and open the link in the email.'
          : 'Ask whoever runs this service for an account.'}
      </AuthHeading>
      <p className="mt-5 text-muted text-sm">
        Already have an account? <TextLink href={loginPath(returnTo)}>Sign in</TextLink>
      </p>
    </>
  );
}

/** With the invitation, the person gets no organization of their own. */
function invitation(): { invitationToken?: string } {
  const token = keptInvitationToken();
  return token === '' ? {} : { invitationToken: token };
}

/** Leaves out empty optional fields: the API refuses an empty string. */
function filled(values: NewAccount): Partial<NewAccount> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => name === 'password' || value.trim() !== ''),
  );
}

/** Whether a registration failed because the address has an account. */
function isEmailTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'email_taken';
}

/** Offers to sign in or to set a new password. `onLeave` runs before either link is followed. */
function EmailTaken({ returnTo, onLeave }: { returnTo: string; onLeave: () => void }) {
  return (
    <Callout tone="accent" role="alert">
      Is it yours?{' '}
      <TextLink href={loginPath(returnTo)} onClick={onLeave} className="underline">
        Sign in
      </TextLink>{' '}
      or{' '}
      <TextLink href="/forgot-password" onClick={onLeave} className="underline">
        set a new password
      </TextLink>
      .
    </Callout>
  );
}
