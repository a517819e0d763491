'use client';

import { Ban, CircleCheck, CircleSlash, Hourglass, type LucideIcon, RefreshCw } from 'lucide-react';
import { Badge, type Tone } from '@/components/ui/badge';
import { useNow } from '@/components/ui/clock';
import { formatRelative } from '@/components/ui/format-time';
import type { ApiKey } from '@/lib/keys/schema';
import { type KeyState, keyStateOf } from './key-state';

const LOOK: Record<KeyState, { tone: Tone; icon: LucideIcon; word: string }> = {
  active: { tone: 'success', icon: CircleCheck, word: 'Active' },
  expiring: { tone: 'warning', icon: Hourglass, word: 'Expires' },
  rotating: { tone: 'accent', icon: RefreshCw, word: 'Rotating, expires' },
  expired: { tone: 'neutral', icon: CircleSlash, word: 'Expired' },
  revoked: { tone: 'danger', icon: Ban, word: 'Revoked' },
};

/** The state of a key, and when it ends if that is soon. */
export function KeyBadge({ apiKey }: { apiKey: ApiKey }) {
  const now = useNow(60_000);
  const state = keyStateOf(apiKey, now);
  const { tone, icon, word } = LOOK[state];
  const left = state === 'expiring' || state === 'rotating' ? apiKey.expiresAt : null;
  return (
    <Badge tone={tone} icon={icon}>
      {left === null ? word : `${word} ${formatRelative(new Date(left), now)}`}
    </Badge>
  );
}
