'use client';

import { useState } from 'react';
import { sendRequest } from '@/components/auth-session/request';
import { ForgotPasswordForm } from './forgot-password-form';
import { prefillEmail, prefilledEmail } from './prefilled-email';
import { ResetMailSent } from './reset-mail-sent';
import { useCoolDown } from './use-cool-down';

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
