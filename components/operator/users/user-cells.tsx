'use client';

import { BadgeCheck, KeyRound, Lock, LogIn, MailQuestion, TriangleAlert, Unlock, X } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { CopyableId } from '@/components/ui/copyable-id';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { NoValue } from '@/components/ui/no-value';
import { RelativeTime } from '@/components/ui/relative-time';
import type { UserRecord } from '@/lib/admin/schema';
import { useRequestUserAction } from './user-actions';

export function UserName({ user }: { user: UserRecord }) {
  return (
    <div className="min-w-0 py-1">
      <p className="wrap-anywhere font-medium">{user.email}</p>
      {user.name === null ? null : <p className="wrap-anywhere text-muted text-xs">{user.name}</p>}
      <CopyableId id={user.id} label={`Copy the ID of ${user.email}`} short />
    </div>
  );
}

/** Whether the address is confirmed and the account locked. */
export function UserState({ user: { emailVerified, lockout } }: { user: UserRecord }) {
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {emailVerified ? (
        <Badge tone="success" icon={BadgeCheck}>
          Confirmed
        </Badge>
      ) : (
        <Badge icon={MailQuestion}>Not confirmed</Badge>
      )}
      {lockout === null ? null : <LockoutBadge {...lockout} />}
    </div>
  );
}

function LockoutBadge({ failures, lockedUntil }: NonNullable<UserRecord['lockout']>) {
  if (lockedUntil === null) {
    return (
      <Badge tone="warning" icon={TriangleAlert}>
        {failures} failed {failures === 1 ? 'sign-in' : 'sign-ins'}
      </Badge>
    );
  }
  return (
    <Badge tone="danger" icon={Lock}>
      Locked, ends <RelativeTime at={lockedUntil} />
    </Badge>
  );
}

export function SignInMethodList({ user: { hasPassword, providers } }: { user: UserRecord }) {
  const ways = [
    ...(hasPassword ? [{ name: 'Password', icon: KeyRound }] : []),
    ...providers.map((name) => ({ name, icon: LogIn })),
  ];
  if (ways.length === 0) return <NoValue />;
  return (
    <ul className="grid gap-0.5">
      {ways.map(({ name, icon: Icon }) => (
        <li key={name} className="flex items-center gap-1.5 whitespace-nowrap">
          <Icon aria-hidden="true" className="size-3.5 text-muted" />
          {name}
        </li>
      ))}
    </ul>
  );
}

export function UserOrganizations({ user: { organizations } }: { user: UserRecord }) {
  if (organizations.length === 0) return <NoValue />;
  return (
    <ul className="grid min-w-0 gap-0.5 py-1">
      {organizations.map(({ id, name, role }) => (
        <li key={id} className="wrap-anywhere">
          {name} <span className="text-muted text-xs">{role}</span>
        </li>
      ))}
    </ul>
  );
}

/** The actions for a user. */
export function UserMenu({ user }: { user: UserRecord }) {
  const ask = useRequestUserAction();
  return (
    <RowMenu of={user.email}>
      <MenuItem
        disabledReason={user.lockout === null ? 'This account has no failed sign-ins' : undefined}
        onSelect={() => ask(user, 'unlock')}
      >
        <Unlock aria-hidden="true" />
        Unlock
      </MenuItem>
      <MenuItem
        tone="danger"
        disabledReason={user.openSessions === 0 ? 'No open sessions' : undefined}
        onSelect={() => ask(user, 'close-sessions')}
      >
        <X aria-hidden="true" />
        Close sessions
      </MenuItem>
    </RowMenu>
  );
}
