'use client';

import { CircleCheck, MailWarning } from 'lucide-react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import type { User } from '@/lib/accounts/schema';
import { EmailRequestStatus } from './email-request-status';
import { useSendEmail } from './use-send-email';

/** The email address of the account, whether it is confirmed, and a button to send the confirmation again. */
export function EmailStatus({ user }: { user: User }) {
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
  const request = useSendEmail(() => apiFetch('/auth/resend-verification', { method: 'POST' }));
  return (
    <div className="mt-2 grid justify-items-start gap-3">
      <p className="text-muted text-sm">Open the link in the email we sent you to confirm your address.</p>
      <Button
        size="sm"
        loading={request.pending}
        disabledReason={request.coolDown.disabledReason}
        onClick={request.send}
      >
        Resend confirmation email
      </Button>
      <EmailRequestStatus request={request}>
        We sent a new link to {email}. It works once, expires in 24 hours, and replaces the previous link.
      </EmailRequestStatus>
    </div>
  );
}
