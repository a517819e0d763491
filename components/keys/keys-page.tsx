'use client';

import { Ban, CircleCheck, CircleSlash, Hourglass, type LucideIcon, RefreshCw } from 'lucide-react';
import { createContext, useContext, useEffect, useState } from 'react';
import { ACTIONS_COLUMN, columnHelperFor } from '@/components/data-table/column-helper';
import { ListPage } from '@/components/data-table/list-page';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { API_REFERENCE_PATH } from '@/components/shell/nav-items';
import { CreateButton } from '@/components/ui/action-buttons';
import { Badge, type Tone } from '@/components/ui/badge';
import { useNow } from '@/components/ui/clock';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { formatRelative } from '@/components/ui/format-time';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { ApiKey } from '@/lib/keys/schema';
import { KeyDialogs, type OpenDialog } from './key-dialogs';
import { type KeyState, keyStateOf, rotateDisabledReason } from './key-state';
import { curlSample, KEY_VARIABLE } from './samples';
import { SCOPES } from './scopes';
import { useKeys } from './use-keys';

interface KeyActions {
  rotate: (key: ApiKey) => void;
  revoke: (key: ApiKey) => void;
  /** Why keys cannot be changed; undefined when they can. */
  disabledReason: string | undefined;
  /** Finds a key in the loaded rows. */
  find: (keyId: string) => ApiKey | undefined;
  /** Highlights the row of a key once. */
  highlight: (keyId: string) => void;
}

/** The actions of a row. A context, so that columns can stay at module scope. */
const KeyActionsContext = createContext<KeyActions>({
  rotate: () => {},
  revoke: () => {},
  disabledReason: undefined,
  find: () => undefined,
  highlight: () => {},
});

const anchorOf = (keyId: string) => `key-${keyId}`;

const LOOK: Record<KeyState, { tone: Tone; icon: LucideIcon; word: string }> = {
  active: { tone: 'success', icon: CircleCheck, word: 'Active' },
  expiring: { tone: 'warning', icon: Hourglass, word: 'Expires' },
  rotating: { tone: 'accent', icon: RefreshCw, word: 'Rotating, expires' },
  expired: { tone: 'neutral', icon: CircleSlash, word: 'Expired' },
  revoked: { tone: 'danger', icon: Ban, word: 'Revoked' },
};

const column = columnHelperFor<ApiKey>();

const keyColumns = column.columns([
  column.accessor('name', {
    header: 'Name',
    meta: { primary: true },
    cell: ({ row }) => <KeyName apiKey={row.original} />,
  }),
  column.accessor('hint', {
    header: 'Key',
    cell: ({ row }) => (
      <span className="min-w-0">
        <code className="whitespace-nowrap font-mono text-xs">{row.original.hint}</code>
        <span className="block whitespace-nowrap text-muted text-xs">{SCOPES[row.original.scope].label}</span>
      </span>
    ),
  }),
  column.accessor('status', { header: 'State', cell: ({ row }) => <KeyBadge apiKey={row.original} /> }),
  column.accessor('lastUsedAt', {
    header: 'Last used',
    cell: ({ row }) =>
      row.original.lastUsedAt === null ? (
        <span className="text-muted">Never</span>
      ) : (
        <RelativeTime at={row.original.lastUsedAt} inRow />
      ),
  }),
  column.accessor('createdAt', {
    header: 'Created',
    cell: ({ row }) => <KeyCreation apiKey={row.original} />,
  }),
  column.display({ ...ACTIONS_COLUMN, cell: ({ row }) => <KeyRowMenu apiKey={row.original} /> }),
]);

/** Longer than the animation, which must end before the same row can be highlighted again. */
const HIGHLIGHT_MS = 2000;

const NONE: ReadonlySet<string> = new Set();

/** The API keys of a project. */
export function KeysPage({ projectId }: { projectId: string }) {
  const keys = useKeys(projectId);
  const disabledReason = useDisabledReason(projectId, 'api_key.manage');
  const baseUrl = useBaseUrl();
  const { highlighted, highlight } = useHighlight();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const ask = (next: OpenDialog) => {
    setDialog(next);
    void keys.reload();
  };
  const actions: KeyActions = {
    rotate: (key) => ask({ what: 'rotate', key }),
    revoke: (key) => ask({ what: 'revoke', key }),
    disabledReason,
    find: (keyId) => keys.rows?.find(({ id }) => id === keyId),
    highlight,
  };
  return (
    <KeyActionsContext value={actions}>
      <ListPage
        title="API keys"
        description={
          <>
            Your servers use these keys to send events to this project. The{' '}
            <Link href={API_REFERENCE_PATH} className="font-medium text-accent-text hover:underline">
              API reference
            </Link>{' '}
            lists every call.
          </>
        }
        createButton={
          <CreateButton label="New key" disabledReason={disabledReason} onClick={() => setDialog({ what: 'create' })} />
        }
        columns={keyColumns}
        pages={keys}
        highlighted={highlighted}
        empty={{
          title: 'No API keys yet',
          sentence: 'Create a key so your server can send events to this project.',
          code: { label: 'Send an event', code: curlSample(baseUrl, KEY_VARIABLE) },
        }}
      />
      <KeyDialogs projectId={projectId} keys={keys} dialog={dialog} onClose={() => setDialog(null)} />
    </KeyActionsContext>
  );
}

/** Holds the highlighted row and removes the highlight after two seconds. */
function useHighlight(): { highlighted: ReadonlySet<string>; highlight: (id: string) => void } {
  const [highlighted, setHighlighted] = useState(NONE);
  useEffect(() => {
    if (highlighted === NONE) return;
    const timer = setTimeout(() => setHighlighted(NONE), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlighted]);
  return { highlighted, highlight: (id) => setHighlighted(new Set([id])) };
}

/** Who created a key, and when. */
function KeyCreation({ apiKey }: { apiKey: ApiKey }) {
  const { createdBy } = apiKey;
  return (
    <span className="min-w-0">
      <RelativeTime at={apiKey.createdAt} inRow />
      {createdBy === null ? null : (
        <span className="block max-w-40 truncate text-muted text-xs" title={createdBy.email ?? undefined}>
          by {createdBy.name ?? createdBy.email ?? 'a former member'}
        </span>
      )}
    </span>
  );
}

function KeyBadge({ apiKey }: { apiKey: ApiKey }) {
  const now = useNow(60_000);
  const state = keyStateOf(apiKey, now);
  const { tone, icon, word } = LOOK[state];
  const left = state === 'expiring' || state === 'rotating' ? apiKey.expiresAt : null;
  return (
    <Badge tone={tone} icon={icon}>
      {left === null ? word : `${word} ${formatRelative(new Date(left), now)}`}
    </Badge>
  );
}

/** The actions for a key. A revoked key has none. */
function KeyRowMenu({ apiKey }: { apiKey: ApiKey }) {
  const { rotate, revoke, disabledReason } = useKeyActions();
  if (apiKey.status === 'REVOKED') return null;
  return (
    <RowMenu of={apiKey.name}>
      <MenuItem
        disabledReason={disabledReason ?? rotateDisabledReason(apiKey, new Date())}
        onSelect={() => rotate(apiKey)}
      >
        <RefreshCw aria-hidden="true" />
        Rotate
      </MenuItem>
      <MenuItem tone="danger" disabledReason={disabledReason} onSelect={() => revoke(apiKey)}>
        <Ban aria-hidden="true" />
        Revoke
      </MenuItem>
    </RowMenu>
  );
}

/** The name of a key; a rotated key links to its replacement, which is above it. */
function KeyName({ apiKey }: { apiKey: ApiKey }) {
  const { find, highlight } = useKeyActions();
  const { replacedById } = apiKey;
  const replacement = replacedById === null ? undefined : find(replacedById);
  return (
    <span className="grid min-w-0 gap-0.5 max-sm:pr-8 sm:min-w-32">
      <span id={anchorOf(apiKey.id)} tabIndex={-1} className="scroll-mt-24 rounded-sm font-medium break-words">
        {apiKey.name}
      </span>
      {replacement === undefined ? null : (
        <span className="text-muted text-xs">
          Replaced by{' '}
          <a
            href={`#${anchorOf(replacement.id)}`}
            onClick={() => highlight(replacement.id)}
            className="inline-block rounded-sm font-mono text-accent-text underline-offset-4 hover:underline"
          >
            {replacement.hint}
          </a>
        </span>
      )}
    </span>
  );
}

function useKeyActions(): KeyActions {
  return useContext(KeyActionsContext);
}
