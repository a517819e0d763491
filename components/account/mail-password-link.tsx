'use client';

import { Mail } from 'lucide-react';
import { CoolDownNotice } from '@/components/auth/cool-down-notice';
import { sendRequest } from '@/components/auth-session/request';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { InlineError } from '@/components/ui/inline-error';
import { useSendEmail } from './use-send-email';

/** Mails the link by which a password is set, whether there is one already or not. */
export function MailPasswordLink({ email, label }: { email: string; label: string }) {
  const request = useSendEmail(() => sendRequest('/auth/forgot-password', { method: 'POST', body: { email } }));
  return (
    <div className="grid justify-items-start gap-3">
      <Button loading={request.pending} disabledReason={request.waitReason} onClick={request.send}>
        <Mail aria-hidden="true" />
        {label}
      </Button>
      {request.sent ? (
        <Callout tone="success" role="status">
          A link is on its way to {email}. It works once, for 30 minutes. When the password is set, every session is
          closed, this one too: you then sign in anew.
        </Callout>
      ) : null}
      {request.coolDown ? <CoolDownNotice coolDown={request.coolDown} onEnd={request.endCoolDown} /> : null}
      <InlineError what="The mail could not be sent" error={request.error} />
    </div>
  );
}
