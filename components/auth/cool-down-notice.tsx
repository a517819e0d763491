'use client';

import Link from 'next/link';
import { Callout } from '@/components/ui/callout';
import { Countdown } from '@/components/ui/countdown';
import type { CoolDown } from './use-cool-down';

const TEXT = {
  locked: 'Too many wrong passwords for this address. You can try again in',
  'rate-limited': 'Too many tries in a short time. You can try again in',
} as const;

/** Why signing in has to wait, for how long, and the way around it. */
export function CoolDownNotice({ coolDown, onEnd }: { coolDown: CoolDown; onEnd: () => void }) {
  return (
    <Callout tone="warning" role="alert">
      <p>
        {TEXT[coolDown.reason]} <Countdown until={coolDown.until} onEnd={onEnd} />.
      </p>
      <p className="mt-1">
        <Link href="/forgot-password" prefetch={false} className="font-medium underline underline-offset-2">
          Reset the password
        </Link>{' '}
        to get in sooner.
      </p>
    </Callout>
  );
}
