'use client';

import { Mail } from 'lucide-react';
import { sendRequest } from '@/components/auth-session/request';
import { Button } from '@/components/ui/button';
import { EmailRequestStatus } from './email-request-status';
import { useSendEmail } from './use-send-email';

/** Sends the link that sets a password, also for an account without one. */
export function EmailPasswordLink({ email, label }: { email: string; label: string }) {
  const request = useSendEmail(() => sendRequest('/auth/forgot-password', { method: 'POST', body: { email } }));
  return (
    <div className="grid justify-items-start gap-3">
      <Button loading={request.pending} disabledReason={request.coolDown.disabledReason} onClick={request.send}>
        <Mail aria-hidden="true" />
        {label}
      </Button>
      <EmailRequestStatus request={request}>
        We sent a link to {email}. It works once and expires in 30 minutes. Setting the password signs you out
        everywhere, including here.
      </EmailRequestStatus>
    </div>
  );
}
