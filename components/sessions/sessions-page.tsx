'use client';

import { useRef, useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { PagedTable } from '@/components/data-table/paged-table';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { toast } from '@/components/ui/toast';
import type { Session } from '@/lib/auth/schema';
import { type CloseScope, CloseSessionsDialog } from './close-sessions-dialog';
import { OnlySession } from './only-session';
import { focusedRowIndex, restoreRowFocus } from './row-focus';
import { sessionColumns } from './session-columns';
import { SessionActionsContext } from './sessions-context';
import { useSessions } from './use-sessions';

/** The sessions of the signed-in person. */
export function SessionsPage() {
  const { sessions, close, closeOthers, closeCurrent, closeAll } = useSessions();
  const [scope, setScope] = useState<CloseScope | null>(null);
  const [closingId, setClosingId] = useState<string | null>(null);
  const table = useRef<HTMLDivElement>(null);
  const closeOne = async (session: Session) => {
    const index = focusedRowIndex(table.current);
    setClosingId(session.id);
    try {
      await close(session.id);
      toast.success(`Session closed: ${session.device}.`);
      restoreRowFocus(table.current, index);
    } catch (thrown) {
      toast.error(`We couldn’t close the session. ${describeError(thrown).detail}`);
    } finally {
      setClosingId(null);
    }
  };
  const actions = {
    closingId,
    close: (session: Session) => (session.current ? setScope('current') : void closeOne(session)),
  };
  const alone = !sessions.hasMore && (sessions.rows?.every(({ current }) => current) ?? false);
  return (
    <SessionActionsContext value={actions}>
      <PageHeader
        title="Sessions"
        description="Each sign-in starts a session. Closing a session takes effect immediately."
        actions={
          <>
            <Button
              disabledReason={alone ? 'There are no other sessions' : undefined}
              onClick={() => setScope('others')}
            >
              Close all others
            </Button>
            <Button variant="quietDanger" onClick={() => setScope('all')}>
              Close all
            </Button>
          </>
        }
      />
      <div ref={table}>
        <PagedTable
          label="Sessions"
          columns={sessionColumns}
          pages={sessions}
          getRowId={(session) => session.id}
          empty={<EmptyState title="No sessions" sentence="You have no open sessions." />}
          footer={alone ? <OnlySession /> : undefined}
        />
      </div>
      <CloseSessionsDialog
        scope={scope}
        onClose={() => setScope(null)}
        answers={{
          current: closeCurrent,
          all: closeAll,
          others: () => closeOthers().then(() => toast.success('All other sessions closed.')),
        }}
      />
    </SessionActionsContext>
  );
}
