'use client';

import { useState } from 'react';
import { FilterBar } from '@/components/data-table/filter-bar';
import { PagedTable } from '@/components/data-table/paged-table';
import { TextFilter } from '@/components/data-table/text-filter';
import { usePages } from '@/components/data-table/use-pages';
import { useOperator } from '@/components/operator/operator-context';
import { EmptyState } from '@/components/ui/empty-state';
import { toast } from '@/components/ui/toast';
import type { UserRecord } from '@/lib/admin/schema';
import { UserActionDialog } from './user-action-dialog';
import { RequestUserActionContext, type UserAction } from './user-actions';
import { userColumns } from './user-columns';

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
