'use client';

import { useState } from 'react';
import { ListPage } from '@/components/data-table/list-page';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { API_REFERENCE_PATH } from '@/components/shell/nav-items';
import { CreateButton } from '@/components/ui/action-buttons';
import { Link } from '@/components/ui/link';
import { useBaseUrl } from '@/components/ui/use-base-url';
import { keyColumns } from './key-columns';
import { KeyDialogs, type OpenDialog } from './key-dialogs';
import { type KeyActions, KeyActionsContext } from './keys-context';
import { curlSample, KEY_VARIABLE } from './samples';
import { useHighlight } from './use-highlight';
import { useKeys } from './use-keys';

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
