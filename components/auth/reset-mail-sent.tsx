'use client';

import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Countdown } from '@/components/ui/countdown';
import { InlineError } from '@/components/ui/inline-error';
import { AuthHeading } from './auth-heading';
import { CoolDownNotice } from './cool-down-notice';
import { FocusedNotice } from './focused-notice';
import { TextLink } from './text-link';
import type { CoolDownState } from './use-cool-down';

/** Emails take a moment, and each request invalidates the link before it. */
const RESEND_PAUSE_MS = 60_000;

/** Says that an email was sent if there is an account, and offers to resend it or to change the address. */
export function ResetMailSent({
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
        <AuthHeading title="Check your email" />
      </FocusedNotice>
      <div className="grid gap-4">
        <p>
          If there’s an account for <span className="wrap-anywhere font-medium">{email}</span>, we sent an email with a
          link to set a new password.
        </p>
        <p className="text-muted text-sm">
          The link works once and expires in 30 minutes. No email? Check your spam folder and the address above.
        </p>
        {sentAgain ? (
          <Callout tone="success" role="status">
            Email resent. Only the newest link works.
          </Callout>
        ) : null}
        <CoolDownNotice coolDown={coolDown} />
        <InlineError what="We couldn’t send the email" error={error} />
        <div className="grid gap-2 sm:grid-cols-2">
          <Button
            size="lg"
            loading={pending}
            onClick={() => void resend()}
            disabledReason={
              pausedUntil !== null || coolDown.isWaiting ? 'Wait a minute for the email to arrive' : undefined
            }
          >
            {pausedUntil === null ? (
              'Resend email'
            ) : (
              <span>
                Resend in <Countdown until={pausedUntil} onEnd={() => setPausedUntil(null)} />
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
