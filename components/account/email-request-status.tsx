'use client';

import type { ReactNode } from 'react';
import { CoolDownNotice } from '@/components/auth/cool-down-notice';
import { Callout } from '@/components/ui/callout';
import { InlineError } from '@/components/ui/inline-error';
import type { EmailRequest } from './use-send-email';

/** Shows whether a requested email was sent; `children` say what it contains. */
export function EmailRequestStatus({ request, children }: { request: EmailRequest; children: ReactNode }) {
  return (
    <>
      {request.sent ? (
        <Callout tone="success" role="status">
          {children}
        </Callout>
      ) : null}
      <CoolDownNotice coolDown={request.coolDown} onEnd={request.coolDown.end} />
      <InlineError what="We couldn’t send the email" error={request.error} />
    </>
  );
}
