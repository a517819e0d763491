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

/** Where one is signed in, and the ways to change that. */
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
      toast.success(`Closed: ${session.device}.`);
      restoreRowFocus(table.current, index);
    } catch (thrown) {
      toast.error(`That session could not be closed. ${describeError(thrown).detail}`);
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
        description="Each sign-in is a session of its own. One that is closed is refused from its next request on."
        actions={
          <>
            <Button disabledReason={alone ? 'There are no others' : undefined} onClick={() => setScope('others')}>
              Close all others…
            </Button>
            <Button variant="quietDanger" onClick={() => setScope('all')}>
              Close all…
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
          empty={<EmptyState title="No session" sentence="You are signed in nowhere." />}
          footer={alone ? <OnlySession /> : undefined}
        />
      </div>
      <CloseSessionsDialog
        scope={scope}
        onClose={() => setScope(null)}
        answers={{
          current: closeCurrent,
          all: closeAll,
          others: () => closeOthers().then(() => toast.success('All other sessions are closed.')),
        }}
      />
    </SessionActionsContext>
  );
}
