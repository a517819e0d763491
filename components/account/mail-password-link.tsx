'use client';

import { Mail } from 'lucide-react';
import { CoolDownNotice } from '@/components/auth/cool-down-notice';
import { sendRequest } from '@/components/auth-session/request';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { InlineError } from '@/components/ui/inline-error';
import { useMailing } from './use-mailing';

/** Mails the link by which a password is set, whether there is one already or not. */
export function MailPasswordLink({ email, label }: { email: string; label: string }) {
  const mailing = useMailing(() => sendRequest('/auth/forgot-password', { method: 'POST', body: { email } }));
  return (
    <div className="grid justify-items-start gap-3">
      <Button loading={mailing.pending} disabledReason={mailing.waitReason} onClick={mailing.send}>
        <Mail aria-hidden="true" />
        {label}
      </Button>
      {mailing.sent ? (
        <Callout tone="success" role="status">
          A link is on its way to {email}. It works once, for 30 minutes. When the password is set, every session is
          closed, this one too: you then sign in anew.
        </Callout>
      ) : null}
      {mailing.coolDown ? <CoolDownNotice coolDown={mailing.coolDown} onEnd={mailing.endCoolDown} /> : null}
      <InlineError what="The mail could not be sent" error={mailing.error} />
    </div>
  );
}
