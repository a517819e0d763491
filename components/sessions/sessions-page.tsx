'use client';

import { Laptop, Smartphone, SquareTerminal } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useProviders } from '@/components/account/use-account';
import { ApiError, describeError } from '@/components/auth-session/api-error';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { describeLifetime } from '@/components/auth-session/describe-lifetime';
import { clearSession, signOut } from '@/components/auth-session/session';
import { type Column, columnsOf } from '@/components/data-table/column-helper';
import { PagedTable } from '@/components/data-table/paged-table';
import { usePages } from '@/components/data-table/use-pages';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { TextLink } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { NoValue } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import type { Session } from '@/lib/auth/schema';

type CloseScope = 'current' | 'others' | 'all';

const WORDS: Record<CloseScope, { title: string; description: ReactNode; confirmLabel: string }> = {
  current: {
    title: 'Sign out of this session?',
    description: 'You’re signed out in this browser. Other sessions stay open.',
    confirmLabel: 'Sign out',
  },
  others: {
    title: 'Close all other sessions?',
    description: 'All other browsers and command lines are signed out immediately. You stay signed in here.',
    confirmLabel: 'Close other sessions',
  },
  all: {
    title: 'Close all sessions?',
    description: 'All browsers and command lines are signed out immediately, including this one. API keys stay valid.',
    confirmLabel: 'Close all and sign out',
  },
};

const SESSION_COLUMNS: Column<Session>[] = [
  {
    header: 'Device',
    primary: true,
    className: 'max-sm:pr-24',
    cell: (session) => <DeviceCell session={session} />,
  },
  { header: 'Sign-in method', cell: ({ method }) => <MethodName method={method} /> },
  {
    header: 'IP address',
    cell: ({ ipAddress }) => (
      <code className="break-all font-mono text-xs">{ipAddress ?? <NoValue label="Unknown" />}</code>
    ),
  },
  { header: 'Started', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { header: 'Last used', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
];

const BUTTONS = '[data-close-session]';

/** The sessions of the signed-in person. */
export function SessionsPage({ unusedSeconds }: { unusedSeconds: number }) {
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
  const columns = columnsOf<Session>(SESSION_COLUMNS, (session) => (
    <Button
      size="sm"
      data-close-session=""
      aria-label={session.current ? 'Sign out of this session' : `Close the session on ${session.device}`}
      loading={closingId === session.id}
      onClick={() => (session.current ? setScope('current') : void closeOne(session))}
    >
      {session.current ? 'Sign out' : 'Close'}
    </Button>
  ));
  const alone = !sessions.hasMore && (sessions.rows?.every(({ current }) => current) ?? false);
  return (
    <>
      <PageHeader
        title="Sessions"
        description={
          <>
            Each sign-in starts a session. It ends after {describeLifetime(unusedSeconds)} without use, and 30 days
            after the sign-in at the latest.{' '}
            <TextLink href="/docs/guides/self-hosting#before-production">Who can change that</TextLink>. Closing a
            session takes effect immediately.
          </>
        }
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
          columns={columns}
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
    </>
  );
}

function OnlySession() {
  return (
    <div className="border-t px-4 py-8 text-center">
      <h2 className="font-semibold text-base">No other sessions</h2>
      <p className="mx-auto mt-1 max-w-md text-balance text-muted text-sm">
        Browsers appear here when you sign in, and command lines when you approve their code.
      </p>
    </div>
  );
}

/** Returns the index of the row whose button has the focus; -1 when none has it. */
function focusedRowIndex(table: HTMLElement | null): number {
  const buttons: Element[] = [...(table?.querySelectorAll(BUTTONS) ?? [])];
  return document.activeElement === null ? -1 : buttons.indexOf(document.activeElement);
}

/** Focuses the button at the index again after its row was removed, so that the focus is not lost. */
function restoreRowFocus(table: HTMLElement | null, index: number): void {
  if (index < 0) return;
  const buttons = [...(table?.querySelectorAll<HTMLElement>(BUTTONS) ?? [])];
  (buttons[index] ?? buttons.at(-1))?.focus();
}

/** Loads the open sessions of the signed-in person, the current one first, and returns their actions. */
function useSessions() {
  const pages = usePages<Session>('/auth/sessions');
  const rows = useMemo(() => pages.rows?.toSorted((a, b) => Number(b.current) - Number(a.current)), [pages.rows]);
  return {
    sessions: { ...pages, rows },
    close: async (sessionId: string) => {
      await apiFetch(`/auth/sessions/${sessionId}`, { method: 'DELETE' }).catch(ignoreEnded);
      await pages.reload();
    },
    closeOthers: async () => {
      await apiFetch('/auth/sessions?keepCurrent=true', { method: 'DELETE' });
      await pages.reload();
    },
    /** Signs out in this browser. */
    closeCurrent: signOut,
    closeAll: async () => {
      await apiFetch('/auth/sessions', { method: 'DELETE' });
      clearSession('signed-out');
    },
  };
}

/** A session that has already ended is closed, as requested. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

/** Asks before closing anything but one other session. */
function CloseSessionsDialog({
  scope,
  onClose,
  answers,
}: {
  scope: CloseScope | null;
  onClose: () => void;
  answers: Record<CloseScope, () => Promise<unknown>>;
}) {
  const asked = scope ?? 'others';
  return (
    <ConfirmDialog
      open={scope !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      {...WORDS[asked]}
      onConfirm={answers[asked]}
    />
  );
}

function MethodName({ method }: { method: Session['method'] }) {
  const { data } = useProviders();
  if (method === 'PASSWORD') return 'Password';
  if (method === 'DEVICE') return 'Device code';
  return data?.data[0]?.name ?? 'Identity provider';
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
