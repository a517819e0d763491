'use client';

import { Callout } from '@/components/ui/callout';
import { Countdown } from '@/components/ui/countdown';
import type { CoolDown } from './use-cool-down';

const TEXT = {
  locked: 'Too many wrong passwords for this address. You can try again in',
  'rate-limited': 'Too many tries in a short time. You can try again in',
} as const;

/** Why signing in has to wait, and for how long. */
export function CoolDownNotice({ coolDown, onEnd }: { coolDown: CoolDown; onEnd: () => void }) {
  return (
    <Callout tone="warning" role="alert">
      <p>
        {TEXT[coolDown.reason]} <Countdown until={coolDown.until} onEnd={onEnd} />.
      </p>
    </Callout>
  );
}
