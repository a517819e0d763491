'use client';

import type { ReactNode } from 'react';
import { Callout } from '@/components/ui/callout';
import { Countdown } from '@/components/ui/countdown';
import { FocusedNotice } from './focused-notice';
import type { CoolDownState } from './use-cool-down';

const TEXT = {
  locked: 'Too many incorrect passwords for this account.',
  'rate-limited': 'Too many attempts.',
} as const;

export interface CoolDownNoticeProps {
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
