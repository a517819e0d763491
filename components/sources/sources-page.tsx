'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { columnHelperFor } from '@/components/data-table/column-helper';
import { ListPage } from '@/components/data-table/list-page';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { CreateButton } from '@/components/ui/action-buttons';
import { Dialog } from '@/components/ui/dialog';
import { RelativeTime } from '@/components/ui/relative-time';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Source } from '@/lib/incoming/schema';
import { CreateSourceForm } from './create-source-form';
import { ProviderMark } from './provider-mark';
import { PROVIDERS } from './providers';
import { SignatureCheck } from './signature-check';
import { SourceState } from './source-state';
import { createSource, type NewSource, useSources } from './use-sources';

const column = columnHelperFor<Source>();

const sourceColumns = column.columns([
  column.accessor('name', {
    header: 'Name',
    meta: { primary: true, className: 'min-w-0 sm:max-w-72' },
    cell: ({ row }) => (
      <span className="flex min-w-0 items-center gap-2.5">
        <ProviderMark provider={row.original.provider} />
        <span className="truncate">{row.original.name}</span>
      </span>
    ),
  }),
  column.accessor('provider', {
    header: 'Provider',
    meta: { className: 'max-sm:hidden whitespace-nowrap text-muted' },
    cell: ({ row }) => PROVIDERS[row.original.provider].name,
  }),
  column.accessor('hasSecret', {
    header: 'Signature check',
    cell: ({ row }) => <SignatureCheck {...row.original} />,
  }),
  column.accessor('enabled', {
    header: 'State',
    cell: ({ row }) => <SourceState enabled={row.original.enabled} />,
  }),
  column.accessor('createdAt', {
    header: 'Created',
    meta: { align: 'end', hidden: 'max-sm:hidden' },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow />,
  }),
]);

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
