'use client';

import { useState } from 'react';
import { ACTIONS_COLUMN, columnHelperFor } from '@/components/data-table/column-helper';
import { FilterBar } from '@/components/data-table/filter-bar';
import { PagedTable } from '@/components/data-table/paged-table';
import { TextFilter } from '@/components/data-table/text-filter';
import { usePages } from '@/components/data-table/use-pages';
import { useOperator } from '@/components/operator/operator-context';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { RelativeTime } from '@/components/ui/relative-time';
import { toast } from '@/components/ui/toast';
import type { UserRecord } from '@/lib/admin/schema';
import { RequestUserActionContext, type UserAction } from './user-actions';
import { SignInMethodList, UserMenu, UserName, UserOrganizations, UserState } from './user-cells';

interface Asked {
  user: UserRecord;
  action: UserAction;
}

const WORDS: Record<UserAction, { title: string; confirmLabel: string; consequence: string }> = {
  unlock: {
    title: 'Unlock this account?',
    confirmLabel: 'Unlock account',
    consequence: 'Ends the lockout and clears the failed sign-ins. An attacker could start guessing passwords again.',
  },
  'close-sessions': {
    title: 'Close all of this user’s sessions?',
    confirmLabel: 'Close sessions',
    consequence: 'Signs the user out everywhere and notifies them by email. API keys stay valid.',
  },
};

const column = columnHelperFor<UserRecord>();

const userColumns = column.columns([
  column.accessor('email', {
    header: 'User',
    meta: { primary: true, className: 'max-sm:pr-12' },
    cell: ({ row }) => <UserName user={row.original} />,
  }),
  column.display({ id: 'state', header: 'State', cell: ({ row }) => <UserState user={row.original} /> }),
  column.display({
    id: 'ways',
    header: 'Sign-in methods',
    cell: ({ row }) => <SignInMethodList user={row.original} />,
  }),
  column.accessor('openSessions', {
    header: 'Sessions',
    cell: ({ row }) => <span className="tabular-nums">{row.original.openSessions} open</span>,
  }),
  column.accessor('organizations', {
    header: 'Organizations',
    cell: ({ row }) => <UserOrganizations user={row.original} />,
  }),
  column.accessor('createdAt', { header: 'Created', cell: ({ row }) => <RelativeTime at={row.original.createdAt} /> }),
  column.display({ ...ACTIONS_COLUMN, cell: ({ row }) => <UserMenu user={row.original} /> }),
]);

const DONE: Record<UserAction, (email: string) => string> = {
  unlock: (email) => `${email} can sign in again.`,
  'close-sessions': (email) => `All sessions of ${email} were closed.`,
};

/** Finds users by email address, unlocks accounts and closes sessions. */
export function UsersPanel() {
  const operator = useOperator();
  const [email, setEmail] = useState<string | undefined>(undefined);
  const [question, setQuestion] = useState<{ user: UserRecord; action: UserAction } | null>(null);
  // Loads nothing before a search: each search is audited.
  const pages = usePages<UserRecord>(email === undefined ? null : '/users', { email }, { pinned: true });
  const act = async ({ user, action }: { user: UserRecord; action: UserAction }) => {
    await operator.send(`/users/${user.id}/${action}`, { method: 'POST' });
    toast.success(DONE[action](user.email));
    await pages.reload();
  };
  return (
    <RequestUserActionContext value={(user, action) => setQuestion({ user, action })}>
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
          columns={userColumns}
          pages={pages}
          getRowId={(user) => user.id}
          empty={<EmptyState title="No users found" sentence="No email address starts with this text." />}
        />
      )}
      <UserActionDialog question={question} onClose={() => setQuestion(null)} onConfirm={act} />
    </RequestUserActionContext>
  );
}

/** Asks before an action on a user's account. */
function UserActionDialog({
  question,
  onClose,
  onConfirm,
}: {
  question: Asked | null;
  onClose: () => void;
  onConfirm: (asked: Asked) => Promise<unknown>;
}) {
  if (question === null) return null;
  const { title, confirmLabel, consequence } = WORDS[question.action];
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={title}
      tone={question.action === 'unlock' ? 'primary' : 'danger'}
      confirmLabel={confirmLabel}
      description={
        <>
          <p className="wrap-anywhere font-medium text-text">{question.user.email}</p>
          <p className="mt-1">{consequence}</p>
        </>
      }
      onConfirm={() => onConfirm(question)}
    />
  );
}
