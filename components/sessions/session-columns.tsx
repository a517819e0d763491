'use client';

import { Laptop, Smartphone, SquareTerminal } from 'lucide-react';
import { useProviders } from '@/components/account/use-account';
import { ACTIONS_COLUMN, columnHelperFor } from '@/components/data-table/column-helper';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { NoValue } from '@/components/ui/no-value';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Session } from '@/lib/auth/schema';
import { useSessionActions } from './sessions-context';

const column = columnHelperFor<Session>();

export const sessionColumns = column.columns([
  column.accessor('device', {
    header: 'Device',
    meta: { primary: true, className: 'max-sm:pr-24' },
    cell: ({ row }) => <DeviceCell session={row.original} />,
  }),
  column.accessor('method', {
    header: 'Sign-in method',
    cell: ({ row }) => <MethodName method={row.original.method} />,
  }),
  column.accessor('ipAddress', {
    header: 'IP address',
    cell: ({ row }) => (
      <code className="break-all font-mono text-xs">{row.original.ipAddress ?? <NoValue label="Unknown" />}</code>
    ),
  }),
  column.accessor('createdAt', { header: 'Started', cell: ({ row }) => <RelativeTime at={row.original.createdAt} /> }),
  column.accessor('lastUsedAt', {
    header: 'Last used',
    cell: ({ row }) => <RelativeTime at={row.original.lastUsedAt} />,
  }),
  column.display({ ...ACTIONS_COLUMN, cell: ({ row }) => <CloseButton session={row.original} /> }),
]);

/** The sign-in method of a session. */
function MethodName({ method }: { method: Session['method'] }) {
  const { data } = useProviders();
  if (method === 'PASSWORD') return 'Password';
  if (method === 'DEVICE') return 'Device code';
  return data?.data[0]?.name ?? 'Identity provider';
}

/** Closes the session of its row. */
function CloseButton({ session }: { session: Session }) {
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

/** The device of a session. Its tooltip shows the user agent. */
function DeviceCell({ session }: { session: Session }) {
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
