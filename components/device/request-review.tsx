'use client';

import { useEffect, useRef, useState } from 'react';
import { CoolDownNotice, useCoolDown } from '@/components/auth/cool-down';
import { ApiError } from '@/components/auth-session/api-error';
import { useSession } from '@/components/auth-session/use-session';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Countdown } from '@/components/ui/countdown';
import { InlineError } from '@/components/ui/inline-error';
import { RelativeTime } from '@/components/ui/relative-time';
import { Fact, NoValue } from '@/components/ui/stat';
import type { DeviceRequest } from '@/lib/auth/schema';

export interface RequestReviewProps {
  userCode: string;
  request: DeviceRequest;
  onDecide: (approved: boolean) => Promise<void>;
  /** Runs when the request has expired or was decided elsewhere. */
  onGone: () => void;
  onAnother: () => void;
}

/** Shows which device asks for which account, and asks to approve or deny. */
export function RequestReview({ userCode, request, onDecide, onGone, onAnother }: RequestReviewProps) {
  const [pending, setPending] = useState<'approve' | 'deny' | null>(null);
  const [error, setError] = useState<unknown>(undefined);
  const coolDown = useCoolDown();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const decide = async (approved: boolean) => {
    if (pending !== null) return;
    setPending(approved ? 'approve' : 'deny');
    setError(undefined);
    try {
      await coolDown.attempt(() => onDecide(approved));
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.status === 404) onGone();
      else setError(thrown);
    } finally {
      setPending(null);
    }
  };
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="font-semibold text-2xl tracking-tight outline-none">
        Let this device sign in as you?
      </h1>
      <p className="mt-1 text-muted text-sm">Your device must show this code:</p>
      <p className="mt-3 rounded-lg bg-sunken py-3 text-center font-medium font-mono text-2xl tracking-[0.2em]">
        {userCode}
      </p>
      <RequestFacts request={request} onExpire={onGone} />
      <div className="mt-5 grid gap-4">
        <Callout tone="warning">
          <p className="font-medium">Approve only if you started this on your own device.</p>
          <p>It gets the same access as you. If someone sent you this code or link, deny the request.</p>
        </Callout>
        <CoolDownNotice coolDown={coolDown} onEnd={coolDown.end} />
        <InlineError what="We couldn’t send your answer" error={error} />
        <div className="grid gap-2 sm:grid-cols-2">
          <Button
            size="lg"
            loading={pending === 'deny'}
            disabledReason={coolDown.disabledReason}
            onClick={() => void decide(false)}
          >
            Deny
          </Button>
          <Button
            size="lg"
            variant="primary"
            loading={pending === 'approve'}
            disabledReason={coolDown.disabledReason}
            onClick={() => void decide(true)}
          >
            Approve
          </Button>
        </div>
        <Button variant="ghost" size="sm" className="justify-self-center text-muted" onClick={onAnother}>
          Enter another code
        </Button>
      </div>
    </>
  );
}

function RequestFacts({ request, onExpire }: { request: DeviceRequest; onExpire: () => void }) {
  const { user, organization } = useSession();
  return (
    <dl className="mt-5 grid gap-2.5 border-t pt-5 text-sm">
      <Fact label="Name">{request.clientName ?? <NoValue label="Not given" />}</Fact>
      <Fact label="IP address">
        <code className="wrap-anywhere font-mono text-xs">{request.ipAddress ?? <NoValue label="Unknown" />}</code>
      </Fact>
      <Fact label="Requested">
        <RelativeTime at={request.createdAt} />, expires in{' '}
        <Countdown until={new Date(request.expiresAt).getTime()} onEnd={onExpire} />
      </Fact>
      <Fact label="Account">
        {user.name ? <span className="block">{user.name}</span> : null}
        <span className="wrap-anywhere">{user.email}</span>
      </Fact>
      <Fact label="Organization">
        {organization === null ? (
          <NoValue />
        ) : (
          <>
            {organization.name} <span className="text-muted">as {organization.role.toLowerCase()}</span>
          </>
        )}
      </Fact>
    </dl>
  );
}
