'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { ListPage } from '@/components/data-table/list-page';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { CreateButton } from '@/components/ui/action-buttons';
import { Dialog } from '@/components/ui/dialog';
import { useBaseUrl } from '@/components/ui/use-base-url';
import { CreateSourceForm } from './create-source-form';
import { sourceColumns } from './source-columns';
import { createSource, type NewSource, useSources } from './use-sources';

/** The sources of a project. */
export function SourcesPage({ projectId }: { projectId: string }) {
  const sources = useSources(projectId);
  const disabledReason = useDisabledReason(projectId, 'source.manage');
  const router = useRouter();
  const baseUrl = useBaseUrl();
  const [creating, setCreating] = useState(false);
  const hrefOf = (id: string) => `/projects/${projectId}/sources/${id}`;
  const create = async (body: NewSource) => router.push(hrefOf((await createSource(projectId, body)).id));
  return (
    <>
      <ListPage
        title="Sources"
        description="Receive webhooks from providers, each at its own URL."
        createButton={
          <CreateButton label="New source" disabledReason={disabledReason} onClick={() => setCreating(true)} />
        }
        columns={sourceColumns}
        pages={sources}
        rowHref={(source) => hrefOf(source.id)}
        empty={{
          title: 'No sources yet',
          sentence:
            'A source gives a provider such as GitHub or Stripe a URL to send webhooks to. We verify, store and forward each request.',
          code: { label: 'Create a source with the API', code: sourceCurl(baseUrl, projectId) },
        }}
      />
      <Dialog open={creating} onOpenChange={setCreating} title="New source" size="lg">
        <CreateSourceForm send={create} />
      </Dialog>
    </>
  );
}

function sourceCurl(baseUrl: string, projectId: string): string {
  return `curl ${baseUrl}/api/v1/projects/${projectId}/sources \\
  -H "X-API-Key: $EDS_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "GitHub", "provider": "GITHUB"}'`;
}
