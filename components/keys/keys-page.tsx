'use client';

import { Ban, RefreshCw, Send } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { columnsOf } from '@/components/data-table/column-helper';
import { ListPage } from '@/components/data-table/paged-table';
import { usePages } from '@/components/data-table/use-pages';
import { HistoryItem } from '@/components/orgs/audit/history-links';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { API_REFERENCE_PATH } from '@/components/shell/nav-items';
import { CreateButton } from '@/components/ui/action-buttons';
import { MenuItem, RowMenu } from '@/components/ui/dropdown-menu';
import { TextLink } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { ApiKey, CreatedApiKey } from '@/lib/keys/schema';
import { KeyBadge } from './key-badge';
import { KeyDialogs, type OpenDialog } from './key-dialogs';
import { describeUnused, rotateDisabledReason, SCOPES } from './key-state';
import { curlSample, KEY_VARIABLE } from './samples';

const anchorOf = (keyId: string) => `key-${keyId}`;

/** Longer than the animation, which must end before the same row can be highlighted again. */
const HIGHLIGHT_MS = 2000;

const NONE: ReadonlySet<string> = new Set();

/** The API keys of a project. */
export function KeysPage() {
  const router = useRouter();
  const path = useProjectPath('api-keys');
  const eventsPath = useProjectPath('events');
  const keys = usePages<ApiKey>(path);
  const disabledReason = useDisabledReason('api_key.manage');
  const baseUrl = useBaseUrl();
  const { highlighted, highlight } = useHighlight();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const ask = (next: OpenDialog) => {
    setDialog(next);
    void keys.reload();
  };
  const columns = columnsOf<ApiKey>(
    [
      {
        header: 'Name',
        primary: true,
        cell: (apiKey) => (
          <KeyName
            apiKey={apiKey}
            replacement={keys.rows?.find(({ id }) => id === apiKey.replacedById)}
            highlight={highlight}
          />
        ),
      },
      {
        header: 'Key',
        cell: ({ hint, scope }) => (
          <span className="min-w-0">
            <code className="whitespace-nowrap font-mono text-xs">{hint}</code>
            <span className="block whitespace-nowrap text-muted text-xs">{SCOPES[scope].label}</span>
          </span>
        ),
      },
      { header: 'State', cell: (apiKey) => <KeyBadge apiKey={apiKey} /> },
      {
        header: 'Last used',
        cell: ({ lastUsedAt, createdAt }) =>
          lastUsedAt === null ? (
            <span className="text-muted">{describeUnused({ createdAt }, new Date())}</span>
          ) : (
            <RelativeTime at={lastUsedAt} inRow />
          ),
      },
      { header: 'Created', cell: (apiKey) => <KeyCreation apiKey={apiKey} /> },
    ],
    (key) => (
      <RowMenu of={key.name}>
        <MenuItem onSelect={() => router.push(`${eventsPath}?apiKeyId=${key.id}`)}>
          <Send aria-hidden="true" />
          Events sent
        </MenuItem>
        <HistoryItem targetId={key.id} />
        {key.status === 'REVOKED' ? null : (
          <>
            <MenuItem
              disabledReason={disabledReason ?? rotateDisabledReason(key, new Date())}
              onSelect={() => ask({ what: 'rotate', key })}
            >
              <RefreshCw aria-hidden="true" />
              Rotate
            </MenuItem>
            <MenuItem tone="danger" disabledReason={disabledReason} onSelect={() => ask({ what: 'revoke', key })}>
              <Ban aria-hidden="true" />
              Revoke
            </MenuItem>
          </>
        )}
      </RowMenu>
    ),
  );
  return (
    <>
      <ListPage
        title="API keys"
        description={
          <>
            Your servers use these keys to send events to this project. The{' '}
            <TextLink href={API_REFERENCE_PATH}>API reference</TextLink> lists every call.
          </>
        }
        createButton={
          <CreateButton label="New key" disabledReason={disabledReason} onClick={() => setDialog({ what: 'create' })} />
        }
        columns={columns}
        pages={keys}
        highlighted={highlighted}
        empty={{
          title: 'No API keys yet',
          sentence: 'Create a key so your server can send events to this project.',
          code: { label: 'Send an event', code: curlSample(baseUrl, KEY_VARIABLE) },
        }}
      />
      <KeyDialogs
        keys={keys.rows}
        dialog={dialog}
        onClose={() => setDialog(null)}
        make={async (tail, body) => {
          const key = await apiFetch<CreatedApiKey>(path + tail, { method: 'POST', body });
          // Does not wait for the list: if its reload failed, the plaintext would be lost.
          void keys.reload();
          return key;
        }}
        revoke={async (keyId) => {
          await apiFetch(`${path}/${keyId}`, { method: 'DELETE' });
          await keys.reload();
        }}
      />
    </>
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

/** The name of a key; a rotated key links to its replacement, which is above it. */
function KeyName({
  apiKey,
  replacement,
  highlight,
}: {
  apiKey: ApiKey;
  replacement: ApiKey | undefined;
  /** Highlights the row of a key once. */
  highlight: (keyId: string) => void;
}) {
  const keysPath = useProjectPath('keys');
  return (
    <span className="grid min-w-0 gap-0.5 max-sm:pr-8 sm:min-w-32">
      <span id={anchorOf(apiKey.id)} tabIndex={-1} className="scroll-mt-24 rounded-sm font-medium wrap-anywhere">
        <TextLink href={`${keysPath}/${apiKey.id}`} data-row-link="" className="after:absolute after:inset-0">
          {apiKey.name}
        </TextLink>
      </span>
      {replacement === undefined ? null : (
        <span className="text-muted text-xs">
          Replaced by{' '}
          <a
            href={`#${anchorOf(replacement.id)}`}
            onClick={() => highlight(replacement.id)}
            className="relative z-10 inline-block rounded-sm font-mono text-accent-text underline-offset-4 hover:underline"
          >
            {replacement.hint}
          </a>
        </span>
      )}
    </span>
  );
}
