'use client';

import { TextLink } from './text-link';
import type { CoolDown } from './use-cool-down';

/** Offers a password link to a person who has to wait. `onReset` runs before the link is followed. */
export function ResetOffer({ reason, onReset }: { reason: CoolDown['reason'] | undefined; onReset: () => void }) {
  const link = (text: string) => (
    <TextLink href="/forgot-password" onClick={onReset} className="underline">
      {text}
    </TextLink>
  );
  if (reason === 'locked') return <>Or {link('set a new password')} to unlock the account now.</>;
  return <>Forgot your password? {link('Set a new one')}.</>;
}
