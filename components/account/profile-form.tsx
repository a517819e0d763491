'use client';

import { CircleCheck, Mail, MailWarning } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { NewPasswordField } from '@/components/auth/auth-form';
import { CoolDownNotice, useCoolDown } from '@/components/auth/cool-down';
import { useIsMailSent } from '@/components/auth/mail-sent';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { sendRequest } from '@/components/auth-session/request';
import { NameForm } from '@/components/form/name-form';
import { useApiForm } from '@/components/form/use-api-form';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { PasswordInput } from '@/components/ui/input';
import type { User } from '@/lib/accounts/schema';

/** Name, email address and id. Only the name can be changed. */
export function ProfileForm({ user, rename }: { user: User; rename: (name: string | null) => Promise<void> }) {
  const renameTrimmed = async (body: { name: string }) => {
    const name = body.name.trim();
    await rename(name === '' ? null : name);
    return name;
  };
  return (
    <NameForm kind="account" id={user.id} name={user.name ?? ''} rename={renameTrimmed}>
      <EmailStatus user={user} />
    </NameForm>
  );
}

/** The email address of the account, whether it is confirmed, and a button to send the confirmation again. */
function EmailStatus({ user }: { user: User }) {
  return (
    <div>
      <p className="font-medium text-sm">Email address</p>
      <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1.5 text-sm">
        <span className="min-w-0 wrap-anywhere">{user.email}</span>
        {user.emailVerified ? (
          <Badge tone="success" icon={CircleCheck}>
            Confirmed
          </Badge>
        ) : (
          <Badge tone="warning" icon={MailWarning}>
            Not confirmed
          </Badge>
        )}
      </p>
      {user.emailVerified ? null : <SendAgain email={user.email} />}
    </div>
  );
}

function SendAgain({ email }: { email: string }) {
  const isMailSent = useIsMailSent();
  const request = useSendEmail(() => apiFetch('/auth/resend-verification', { method: 'POST' }));
  return (
    <div className="mt-2 grid justify-items-start gap-3">
      <p className="text-muted text-sm">
        {isMailSent
          ? 'Open the link in the email we sent you to confirm your address.'
          : 'This server doesn’t send email. The link to confirm your address is in its mail folder: ask whoever runs it.'}
      </p>
      <Button
        size="sm"
        loading={request.pending}
        disabledReason={request.coolDown.disabledReason}
        onClick={request.send}
      >
        {isMailSent ? 'Resend confirmation email' : 'Make another link'}
      </Button>
      <EmailRequestStatus request={request}>
        {isMailSent
          ? `We sent a new link to ${email}.`
          : `A new link for ${email} is in the mail folder of this server.`}{' '}
        It works once, expires in 24 hours, and replaces the previous link.
      </EmailRequestStatus>
    </div>
  );
}

const EMPTY = { currentPassword: '', newPassword: '' };

/** Changes the password. A wrong current password counts as a failed sign-in. */
export function ChangePasswordForm({ user }: { user: User }) {
  const coolDown = useCoolDown();
  const [changed, setChanged] = useState(false);
  const isMailSent = useIsMailSent();
  const form = useApiForm({
    defaultValues: EMPTY,
    send: async (values) => {
      setChanged(false);
      await coolDown.attempt(async () => {
        await apiFetch('/auth/change-password', { method: 'POST', body: values });
        form.reset(EMPTY);
        setChanged(true);
      });
    },
  });
  return (
    <>
      <form method="post" noValidate onSubmit={form.submit} className="grid gap-4">
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <Field label="Current password" error={form.fieldError('currentPassword')}>
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register('currentPassword', { required: 'Enter your current password.' })}
              autoComplete="current-password"
            />
          )}
        </Field>
        <NewPasswordField
          label="New password"
          control={form.register('newPassword', { required: 'Choose a new password.' })}
          error={form.fieldError('newPassword')}
        />
        {changed ? (
          <Callout tone="success" role="status">
            Password changed. All other sessions were signed out.
          </Callout>
        ) : null}
        <CoolDownNotice coolDown={coolDown} onEnd={coolDown.end} />
        <InlineError what="We couldn’t change your password" error={form.error} />
        <div>
          <Button type="submit" variant="primary" loading={form.pending} disabledReason={coolDown.disabledReason}>
            Change password
          </Button>
        </div>
      </form>
      <div className="mt-4 grid gap-2.5 border-t pt-4">
        <p className="text-muted text-sm">
          Forgot your current password?{' '}
          {isMailSent
            ? 'We’ll email you a link to set a new one.'
            : 'This server doesn’t send email, but saves a link to set a new one to a file. Ask whoever runs it for the link.'}
        </p>
        <EmailPasswordLink email={user.email} label={isMailSent ? 'Email me a link' : 'Make a link'} />
      </div>
    </>
  );
}

/** Sends the link that sets a password, also for an account without one. */
export function EmailPasswordLink({ email, label }: { email: string; label: string }) {
  const isMailSent = useIsMailSent();
  const request = useSendEmail(() => sendRequest('/auth/forgot-password', { method: 'POST', body: { email } }));
  return (
    <div className="grid justify-items-start gap-3">
      <Button loading={request.pending} disabledReason={request.coolDown.disabledReason} onClick={request.send}>
        <Mail aria-hidden="true" />
        {label}
      </Button>
      <EmailRequestStatus request={request}>
        {isMailSent ? `We sent a link to ${email}.` : `A link for ${email} is in the mail folder of this server.`} It
        works once and expires in 30 minutes. Setting the password signs you out everywhere, including here.
      </EmailRequestStatus>
    </div>
  );
}

/** Shows whether a requested email was sent; `children` say what it contains. */
function EmailRequestStatus({ request, children }: { request: EmailRequest; children: ReactNode }) {
  const isMailSent = useIsMailSent();
  return (
    <>
      {request.sent ? (
        <Callout tone="success" role="status">
          {children}
        </Callout>
      ) : null}
      <CoolDownNotice coolDown={request.coolDown} onEnd={request.coolDown.end} />
      <InlineError
        what={isMailSent ? 'We couldn’t send the email' : 'We couldn’t make the link'}
        error={request.error}
      />
    </>
  );
}

/** Requests an email through `request`, and holds whether it was sent, failed, or has to wait. */
function useSendEmail(request: () => Promise<unknown>) {
  const coolDown = useCoolDown();
  const [sent, setSent] = useState(false);
  const { pending, error, run } = useAsyncAction();
  const send = async () => {
    setSent(false);
    await run(async () => setSent(await coolDown.attempt(request)));
  };
  return { send: () => void send(), pending, sent, error, coolDown };
}

type EmailRequest = ReturnType<typeof useSendEmail>;
