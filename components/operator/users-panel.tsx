'use client';

import { BadgeCheck, KeyRound, Lock, LogIn, MailQuestion, TriangleAlert, Unlock, X } from 'lucide-react';
import { useState } from 'react';
import { type Column, columnsOf } from '@/components/data-table/column-helper';
import { FilterBar } from '@/components/data-table/filter-bar';
import { PagedTable } from '@/components/data-table/paged-table';
import { TextFilter } from '@/components/data-table/text-filter';
import { usePages } from '@/components/data-table/use-pages';
import { Badge } from '@/components/ui/badge';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { CopyableId } from '@/components/ui/copyable-id';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { EmptyState } from '@/components/ui/empty-state';
import { RelativeTime } from '@/components/ui/relative-time';
import { NoValue } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import type { UserRecord } from '@/lib/admin/schema';
import { useOperator } from './operator-context';

const ACTIONS = {
  unlock: {
    title: 'Unlock this account?',
    tone: 'primary',
    confirmLabel: 'Unlock account',
    consequence: 'Ends the lockout and clears the failed sign-ins. An attacker could start guessing passwords again.',
    done: (email: string) => `${email} can sign in again.`,
  },
  'close-sessions': {
    title: 'Close all of this user’s sessions?',
    tone: 'danger',
    confirmLabel: 'Close sessions',
    consequence: 'Signs the user out everywhere and notifies them by email. API keys stay valid.',
    done: (email: string) => `All sessions of ${email} were closed.`,
  },
} as const;

/** An action that waits for its confirmation. */
interface Question {
  user: UserRecord;
  action: keyof typeof ACTIONS;
}

/** Finds users by email address, unlocks accounts and closes sessions. */
export function UsersPanel() {
  const [email, setEmail] = useState<string | undefined>(undefined);
  const [question, setQuestion] = useState<Question | null>(null);
  // Loads nothing before a search: each search is audited.
  const pages = usePages<UserRecord>(email === undefined ? null : '/users', { email }, { pinned: true });
  return (
    <>
      <FilterBar active={email === undefined ? 0 : 1} onClear={() => setEmail(undefined)}>
        <TextFilter
          label="Email address or its first letters"
          placeholder="ada@example.com"
          value={email}
          onChange={setEmail}
        />
      </FilterBar>
      {email === undefined ? (
        <div className="rounded-lg border bg-surface shadow-raised">
          <EmptyState title="Search for a user" sentence="Enter an email address or its first letters." />
        </div>
      ) : (
        <PagedTable
          label="Users"
          columns={columnsOf(COLUMNS, (user) => (
            <UserMenu user={user} onAsk={(action) => setQuestion({ user, action })} />
          ))}
          pages={pages}
          getRowId={(user) => user.id}
          empty={<EmptyState title="No users found" sentence="No email address starts with this text." />}
        />
      )}
      {question === null ? null : (
        <UserActionDialog {...question} onClose={() => setQuestion(null)} onDone={() => pages.reload()} />
      )}
    </>
  );
}

/** Asks before an action on a user's account. */
function UserActionDialog({
  user,
  action,
  onClose,
  onDone,
}: Question & { onClose: () => void; onDone: () => Promise<unknown> }) {
  const operator = useOperator();
  const { consequence, done, ...words } = ACTIONS[action];
  const act = async () => {
    await operator.send(`/users/${user.id}/${action}`, { method: 'POST' });
    toast.success(done(user.email));
    await onDone();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      {...words}
      description={
        <>
          <p className="wrap-anywhere font-medium text-text">{user.email}</p>
          <p className="mt-1">{consequence}</p>
        </>
      }
      onConfirm={act}
    />
  );
}

const COLUMNS: Column<UserRecord>[] = [
  {
    header: 'User',
    primary: true,
    className: 'max-sm:pr-12',
    cell: ({ id, email, name }) => (
      <div className="min-w-0 py-1">
        <p className="wrap-anywhere font-medium">{email}</p>
        {name === null ? null : <p className="wrap-anywhere text-muted text-xs">{name}</p>}
        <CopyableId id={id} label={`Copy the ID of ${email}`} short />
      </div>
    ),
  },
  {
    header: 'State',
    cell: ({ emailVerified, lockout }) => (
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
    ),
  },
  { header: 'Sign-in methods', cell: (user) => <SignInMethodList user={user} /> },
  { header: 'Sessions', cell: ({ openSessions }) => <span className="tabular-nums">{openSessions} open</span> },
  {
    header: 'Organizations',
    cell: ({ organizations }) =>
      organizations.length === 0 ? (
        <NoValue />
      ) : (
        <ul className="grid min-w-0 gap-0.5 py-1">
          {organizations.map(({ id, name, role }) => (
            <li key={id} className="wrap-anywhere">
              {name} <span className="text-muted text-xs">{role}</span>
            </li>
          ))}
        </ul>
      ),
  },
  { header: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

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

function SignInMethodList({ user: { hasPassword, providers } }: { user: UserRecord }) {
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

/** The actions for a user. */
function UserMenu({ user, onAsk }: { user: UserRecord; onAsk: (action: Question['action']) => void }) {
  return (
    <RowMenu of={user.email}>
      <MenuItem
        disabledReason={user.lockout === null ? 'This account has no failed sign-ins' : undefined}
        onSelect={() => onAsk('unlock')}
      >
        <Unlock aria-hidden="true" />
        Unlock
      </MenuItem>
      <MenuItem
        tone="danger"
        disabledReason={user.openSessions === 0 ? 'No open sessions' : undefined}
        onSelect={() => onAsk('close-sessions')}
      >
        <X aria-hidden="true" />
        Close sessions
      </MenuItem>
    </RowMenu>
  );
}
