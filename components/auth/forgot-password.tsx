'use client';

import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { sendRequest } from '@/components/auth-session/request';
import { useApiForm } from '@/components/form/use-api-form';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Countdown } from '@/components/ui/countdown';
import { InlineError } from '@/components/ui/inline-error';
import { TextLink } from '@/components/ui/link';
import { AuthForm, AuthHeading, EmailField, prefillEmail, prefilledEmail } from './auth-form';
import { CoolDownNotice, type CoolDownState, FocusedNotice, useCoolDown } from './cool-down';
import { useIsMailSent } from './mail-sent';

/** Requests a password link. The page does not reveal whether the address has an account. */
export function ForgotPassword() {
  const [email, setEmail] = useState(() => prefilledEmail());
  const [isSent, setSent] = useState(false);
  const coolDown = useCoolDown();
  const isMailSent = useIsMailSent();
  /** Resolves to false when the request has to wait. */
  const send = (address: string): Promise<boolean> =>
    coolDown.attempt(async () => {
      await sendRequest('/auth/forgot-password', { method: 'POST', body: { email: address } });
      prefillEmail(address);
      setEmail(address);
      setSent(true);
    });
  const form = useApiForm({ defaultValues: { email }, send: (values) => send(values.email.trim()) });
  if (isSent) {
    return (
      <ResetMailSent email={email} coolDown={coolDown} onResend={() => send(email)} onEdit={() => setSent(false)} />
    );
  }
  return (
    <>
      <AuthHeading title="Reset your password">
        {isMailSent
          ? 'We’ll email you a link to set a new password, even if your account doesn’t have one yet.'
          : 'This server doesn’t send email. It saves a link to set a new password to a file, and whoever runs the server can hand it over.'}
      </AuthHeading>
      <AuthForm
        form={form}
        coolDown={coolDown}
        errorTitle={isMailSent ? 'We couldn’t send the email' : 'We couldn’t make the link'}
        submitLabel={isMailSent ? 'Send link' : 'Make link'}
      >
        <EmailField
          control={form.register('email', { required: 'Enter your email address.' })}
          error={form.fieldError('email')}
          autoComplete="username"
        />
      </AuthForm>
      <p className="mt-5 text-muted text-sm">
        Remember your password? <TextLink href="/login">Sign in</TextLink>
      </p>
    </>
  );
}

/** Emails take a moment, and each request invalidates the link before it. */
const RESEND_PAUSE_MS = 60_000;

/** Says that an email was sent if there is an account, and offers to resend it or to change the address. */
function ResetMailSent({
  email,
  coolDown,
  onResend,
  onEdit,
}: {
  email: string;
  coolDown: CoolDownState;
  /** Resolves to false when the request has to wait. */
  onResend: () => Promise<boolean>;
  onEdit: () => void;
}) {
  const [pausedUntil, setPausedUntil] = useState<number | null>(() => Date.now() + RESEND_PAUSE_MS);
  const [sentAgain, setSentAgain] = useState(false);
  const isMailSent = useIsMailSent();
  const { pending, error, run } = useAsyncAction();
  const resend = () => {
    setSentAgain(false);
    return run(async () => {
      if (!(await onResend())) return;
      setSentAgain(true);
      setPausedUntil(Date.now() + RESEND_PAUSE_MS);
    });
  };
  return (
    <>
      <FocusedNotice>
        <div className="mb-4 flex size-10 items-center justify-center rounded-full bg-accent-subtle text-accent-text">
          <MailCheck aria-hidden="true" className="size-5" />
        </div>
        <AuthHeading title={isMailSent ? 'Check your email' : 'Ask for your link'} />
      </FocusedNotice>
      <div className="grid gap-4">
        <p>
          If there’s an account for <span className="wrap-anywhere font-medium">{email}</span>,{' '}
          {isMailSent
            ? 'we sent an email with a link to set a new password.'
            : 'a link to set a new password is in the mail folder of this server. Ask whoever runs it for the link.'}
        </p>
        <p className="text-muted text-sm">
          The link works once and expires in 30 minutes.
          {isMailSent ? ' No email? Check your spam folder and the address above.' : null}
        </p>
        {sentAgain ? (
          <Callout tone="success" role="status">
            {isMailSent ? 'Email resent.' : 'New link made.'} Only the newest link works.
          </Callout>
        ) : null}
        <CoolDownNotice coolDown={coolDown} />
        <InlineError what={isMailSent ? 'We couldn’t send the email' : 'We couldn’t make the link'} error={error} />
        <div className="grid gap-2 sm:grid-cols-2">
          <Button
            size="lg"
            loading={pending}
            onClick={() => void resend()}
            disabledReason={
              pausedUntil !== null || coolDown.isWaiting
                ? `Wait a minute${isMailSent ? ' for the email to arrive' : ''}`
                : undefined
            }
          >
            {pausedUntil === null ? (
              isMailSent ? (
                'Resend email'
              ) : (
                'Make another link'
              )
            ) : (
              <span>
                {isMailSent ? 'Resend' : 'Another link'} in{' '}
                <Countdown until={pausedUntil} onEnd={() => setPausedUntil(null)} />
              </span>
            )}
          </Button>
          <Button size="lg" onClick={onEdit}>
            Change address
          </Button>
        </div>
      </div>
      <p className="mt-5 text-muted text-sm">
        Remember your password? <TextLink href="/login">Sign in</TextLink>
      </p>
    </>
  );
}
