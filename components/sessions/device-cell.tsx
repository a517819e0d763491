import { Laptop, Smartphone, SquareTerminal } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import type { Session } from '@/lib/auth/schema';

/** The device of a session. Its tooltip shows the user agent. */
export function DeviceCell({ session }: { session: Session }) {
  const Icon = iconOf(session);
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="break-words font-medium" title={session.userAgent ?? undefined}>
          {session.device}
        </span>
        {session.current ? <Badge tone="accent">This session</Badge> : null}
      </span>
    </span>
  );
}

function iconOf({ method, userAgent }: Session) {
  if (method === 'DEVICE') return SquareTerminal;
  return /Mobi|Android|iPhone|iPad/.test(userAgent ?? '') ? Smartphone : Laptop;
}
