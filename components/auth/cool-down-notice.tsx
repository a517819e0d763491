'use client';

import type { ReactNode } from 'react';
import { Callout } from '@/components/ui/callout';
import { Countdown } from '@/components/ui/countdown';
import { FocusedNotice } from './focused-notice';
import type { CoolDown } from './use-cool-down';

const TEXT = {
  locked: 'Too many wrong passwords for this address.',
  'rate-limited': 'Too many tries in a short time.',
} as const;

/** Why one has to wait, for how long, and in `children` what can be done instead. */
export function CoolDownNotice({
  coolDown,
  isWaiting = true,
  onEnd,
  children,
}: {
  coolDown: CoolDown;
  /** False once the time has passed, where the notice stays to say so. */
  isWaiting?: boolean;
  onEnd: () => void;
  children?: ReactNode;
}) {
  return (
    <FocusedNotice key={coolDown.until}>
      {isWaiting ? (
        <Callout tone="warning" role="alert">
          <p>
            {TEXT[coolDown.reason]} You can try again in <Countdown until={coolDown.until} onEnd={onEnd} />.
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
