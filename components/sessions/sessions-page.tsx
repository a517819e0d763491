'use client';

import { useRef, useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { DataTable } from '@/components/data-table/data-table';
import { LoadMore } from '@/components/data-table/load-more';
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
  const { sessions, pages, close, closeOthers, closeCurrent, closeAll } = useSessions();
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
  const alone = !pages.hasMore && (sessions?.every(({ current }) => current) ?? false);
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
        <DataTable
          label="Sessions"
          columns={sessionColumns}
          rows={sessions}
          getRowId={(session) => session.id}
          error={pages.error}
          onRetry={() => void pages.reload()}
          empty={<EmptyState title="No session" sentence="You are signed in nowhere." />}
          footer={
            alone ? (
              <OnlySession />
            ) : (
              <LoadMore
                hasMore={pages.hasMore}
                loading={pages.isLoadingMore}
                error={pages.moreError}
                onLoadMore={pages.loadMore}
              />
            )
          }
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
