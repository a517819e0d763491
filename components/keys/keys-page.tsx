'use client';

import { useState } from 'react';
import { PagedTable } from '@/components/data-table/paged-table';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { CreateButton } from '@/components/ui/action-buttons';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
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
  const newKey = (
    <CreateButton label="New key" disabledReason={disabledReason} onClick={() => setDialog({ what: 'create' })} />
  );
  return (
    <KeyActionsContext value={actions}>
      <PageHeader
        title="API keys"
        description="Your servers use these keys to send events to this project."
        actions={keys.rows?.length === 0 ? null : newKey}
      />
      <PagedTable
        label="API keys"
        columns={keyColumns}
        pages={keys}
        getRowId={(key) => key.id}
        highlighted={highlighted}
        empty={
          <EmptyState
            title="No API keys yet"
            sentence="A server needs an API key to send events to this project."
            action={newKey}
            code={{ label: 'Send an event', code: curlSample(baseUrl, KEY_VARIABLE) }}
          />
        }
      />
      <KeyDialogs projectId={projectId} keys={keys} dialog={dialog} onClose={() => setDialog(null)} />
    </KeyActionsContext>
  );
}
