'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '@/components/auth-session/api-error';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Countdown } from '@/components/ui/countdown';
import { InlineError } from '@/components/ui/inline-error';

export interface CoolDown {
  reason: 'locked' | 'rate-limited';
  /** Epoch milliseconds. */
  until: number;
}

const DEFAULT_WAIT_SECONDS = 60;

/** Returns the wait that a refusal asks for: 423 locks the account, 429 limits the client; null for any other error. */
export function coolDownOf(error: unknown, nowMs: number): CoolDown | null {
  if (!(error instanceof ApiError) || (error.status !== 423 && error.status !== 429)) return null;
  return {
    reason: error.status === 423 ? 'locked' : 'rate-limited',
    until: nowMs + (error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS) * 1000,
  };
}

/** Holds the wait that the server asked for after the last attempt. */
export function useCoolDown() {
  const [current, setCurrent] = useState<CoolDown | null>(null);
  const [isOver, setOver] = useState(false);
  const isWaiting = current !== null && !isOver;
  /** Starts the cool-down that an error asks for. Returns false when it asks for none. */
  const handleRefusal = (error: unknown) => {
    const next = coolDownOf(error, Date.now());
    if (next !== null) {
      setCurrent(next);
      setOver(false);
    }
    return next !== null;
  };
  return {
    /** The wait that is shown; null when none is. */
    current,
    isWaiting,
    /** Why the form cannot be sent; undefined when it can. */
    disabledReason: isWaiting ? 'Wait until the countdown ends' : undefined,
    handleRefusal,
    /** Resolves to false when the server refuses an attempt and asks to wait. @throws any other error of the attempt */
    attempt: async (action: () => Promise<unknown>): Promise<boolean> => {
      setCurrent(null);
      try {
        await action();
        return true;
      } catch (error) {
        if (!handleRefusal(error)) throw error;
        return false;
      }
    },
    /** Ends the wait and keeps the notice, which then says that another attempt is possible. */
    finish: () => setOver(true),
    /** Removes the notice. */
    end: () => setCurrent(null),
  };
}

export type CoolDownState = ReturnType<typeof useCoolDown>;

const TEXT = {
  locked: 'Too many incorrect passwords for this account.',
  'rate-limited': 'Too many attempts.',
} as const;

interface CoolDownNoticeProps {
  coolDown: CoolDownState;
  /** Runs when the countdown ends. By default the notice stays and says so. */
  onEnd?: () => void;
  /** What to do instead of waiting. */
  children?: ReactNode;
}

/** Says why and how long the person has to wait. Renders nothing without a cool-down. */
export function CoolDownNotice({ coolDown, onEnd = coolDown.finish, children }: CoolDownNoticeProps) {
  const { current, isWaiting } = coolDown;
  if (current === null) return null;
  return (
    <FocusedNotice key={current.until}>
      {isWaiting ? (
        <Callout tone="warning" role="alert">
          <p>
            {TEXT[current.reason]} Try again in <Countdown until={current.until} onEnd={onEnd} />.
          </p>
          {children ? <p className="mt-1">{children}</p> : null}
        </Callout>
      ) : (
        <Callout tone="success" role="status">
          You can try again now.
        </Callout>
      )}
    </FocusedNotice>
  );
}

/** Takes the focus when it appears, so that keyboard and screen reader users continue from here. */
export function FocusedNotice({ children }: { children: ReactNode }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <div ref={notice} tabIndex={-1} className="rounded-lg">
      {children}
    </div>
  );
}

/** An error that takes the focus when it appears. Renders nothing without an error. */
export function FocusedError({ what, error }: { what: string; error: unknown }) {
  if (error === undefined) return null;
  return (
    <FocusedNotice>
      <InlineError what={what} error={error} />
    </FocusedNotice>
  );
}

/** The only button of a page that confirms something, below the error of the last attempt. */
export function ConfirmButton({
  label,
  errorTitle,
  onConfirm,
}: {
  label: string;
  /** What failed: "We couldn’t confirm your email address". */
  errorTitle: string;
  onConfirm: () => Promise<void>;
}) {
  const { pending, error, run } = useAsyncAction();
  return (
    <>
      <FocusedError what={errorTitle} error={error} />
      <Button variant="primary" size="lg" loading={pending} onClick={() => void run(onConfirm)}>
        {label}
      </Button>
    </>
  );
}
