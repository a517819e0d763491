'use client';

import { useState } from 'react';
import { sendRequest } from '@/components/auth-session/request';
import { useApiForm } from '@/components/form/use-api-form';
import { AuthForm } from './auth-form';
import { AuthHeading } from './auth-heading';
import { EmailField } from './email-field';
import { prefillEmail, prefilledEmail } from './prefilled-email';
import { ResetMailSent } from './reset-mail-sent';
import { TextLink } from './text-link';
import { type CoolDownState, useCoolDown } from './use-cool-down';

/** Requests a password link. The page does not reveal whether the address has an account. */
export function ForgotPassword() {
  const [email, setEmail] = useState(() => prefilledEmail());
  const [isSent, setSent] = useState(false);
  const coolDown = useCoolDown();
  /** Resolves to false when the request has to wait. */
  const send = async (address: string): Promise<boolean> => {
    coolDown.end();
    try {
      await sendRequest('/auth/forgot-password', { method: 'POST', body: { email: address } });
    } catch (error) {
      if (coolDown.handleRefusal(error)) return false;
      throw error;
    }
    prefillEmail(address);
    setEmail(address);
    setSent(true);
    return true;
  };
  return isSent ? (
    <ResetMailSent email={email} coolDown={coolDown} onResend={() => send(email)} onEdit={() => setSent(false)} />
  ) : (
    <ForgotPasswordForm email={email} coolDown={coolDown} onSend={send} />
  );
}

/** Asks for the address to send a password link to. */
function ForgotPasswordForm({
  email,
  coolDown,
  onSend,
}: {
  email: string;
  coolDown: CoolDownState;
  onSend: (email: string) => Promise<boolean>;
}) {
  const form = useApiForm({ defaultValues: { email }, send: (values) => onSend(values.email.trim()) });
  return (
    <>
      <AuthHeading title="Reset your password">
        We’ll email you a link to set a new password, even if your account doesn’t have one yet.
      </AuthHeading>
      <AuthForm form={form} coolDown={coolDown} errorTitle="We couldn’t send the email" submitLabel="Send link">
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
