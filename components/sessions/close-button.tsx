'use client';

import { Button } from '@/components/ui/button';
import type { Session } from '@/lib/auth/schema';
import { useSessionActions } from './sessions-context';

/** Closes the session of its row. */
export function CloseButton({ session }: { session: Session }) {
  const { close, closingId } = useSessionActions();
  return (
    <Button
      size="sm"
      data-close-session=""
      aria-label={session.current ? 'Sign out of this session' : `Close the session on ${session.device}`}
      loading={closingId === session.id}
      onClick={() => close(session)}
    >
      {session.current ? 'Sign out' : 'Close'}
    </Button>
  );
}
