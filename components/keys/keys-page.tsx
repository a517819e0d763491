'use client';

import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { DataTable } from '@/components/data-table/data-table';
import { LoadMore } from '@/components/data-table/load-more';
import { useRefusal } from '@/components/projects/use-refusal';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { toast } from '@/components/ui/toast';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { ApiKey } from '@/lib/keys/schema';
import { CreateKeyDialog } from './create-key-dialog';
import { keyColumns } from './key-columns';
import { KeyActionsContext } from './keys-context';
import { RevokeKeyDialog } from './revoke-key-dialog';
import { curlSample, KEY_VARIABLE } from './samples';
import { useKeys } from './use-keys';

/** The API keys of a project. */
export function KeysPage({ projectId }: { projectId: string }) {
  const keys = useKeys(projectId);
  const refusal = useRefusal(projectId, 'api_key.manage');
  const baseUrl = useBaseUrl();
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const actions = useMemo(() => ({ revoke: setRevoking, refusal }), [refusal]);
  const newKey = (
    <Button variant="primary" disabledReason={refusal} onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" />
      New key
    </Button>
  );
  const revoke = async (keyId: string) => {
    await keys.revoke(keyId);
    toast.success('Key revoked. It is refused from now on.');
  };
  return (
    <KeyActionsContext value={actions}>
      <PageHeader
        title="API keys"
        description="A key belongs to this project and is what sends its events."
        actions={keys.rows?.length === 0 ? null : newKey}
      />
      <DataTable
        label="API keys"
        columns={keyColumns}
        rows={keys.rows}
        getRowId={(key) => key.id}
        error={keys.error}
        onRetry={() => void keys.reload()}
        empty={
          <EmptyState
            title="No key yet"
            sentence="A server proves with a key that it may send events to this project."
            action={newKey}
            code={{ label: 'How an event is sent', code: curlSample(baseUrl, KEY_VARIABLE) }}
          />
        }
        footer={
          <LoadMore
            hasMore={keys.hasMore}
            loading={keys.isLoadingMore}
            error={keys.moreError}
            onLoadMore={keys.loadMore}
          />
        }
      />
      <CreateKeyDialog projectId={projectId} open={creating} onOpenChange={setCreating} create={keys.create} />
      <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} onRevoke={revoke} />
    </KeyActionsContext>
  );
}
