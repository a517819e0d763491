'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { columnsOf } from '@/components/data-table/column-helper';
import { ListPage } from '@/components/data-table/paged-table';
import { usePages } from '@/components/data-table/use-pages';
import { createCurl } from '@/components/keys/samples';
import { SignatureCheck, SourceState } from '@/components/projects/state-badges';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { CreateButton } from '@/components/ui/action-buttons';
import { Dialog } from '@/components/ui/dialog';
import { RelativeTime } from '@/components/ui/relative-time';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Source } from '@/lib/incoming/schema';
import { PROVIDERS, ProviderMark } from './providers';
import { CreateSourceForm } from './source-form';
import type { NewSource } from './use-sources';

const sourceColumns = columnsOf<Source>([
  {
    header: 'Name',
    primary: true,
    className: 'min-w-0 sm:max-w-72',
    cell: ({ name, provider }) => (
      <span className="flex min-w-0 items-center gap-2.5">
        <ProviderMark provider={provider} />
        <span className="truncate" title={name}>
          {name}
        </span>
      </span>
    ),
  },
  {
    header: 'Provider',
    className: 'max-sm:hidden whitespace-nowrap text-muted',
    cell: ({ provider }) => PROVIDERS[provider].name,
  },
  { header: 'Signature check', cell: (source) => <SignatureCheck {...source} /> },
  { header: 'State', cell: (source) => <SourceState {...source} /> },
  {
    header: 'Created',
    align: 'end',
    hidden: 'max-sm:hidden',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} inRow />,
  },
]);

/** The sources of a project. */
export function SourcesPage() {
  const path = useProjectPath('sources');
  const sources = usePages<Source>(path);
  const disabledReason = useDisabledReason('source.manage');
  const router = useRouter();
  const baseUrl = useBaseUrl();
  const [creating, setCreating] = useState(false);
  const create = async (body: NewSource) => {
    const { id } = await apiFetch<Source>(path, { method: 'POST', body });
    router.push(`${path}/${id}`);
  };
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
        rowHref={({ id }) => `${path}/${id}`}
        empty={{
          title: 'No sources yet',
          sentence:
            'A source gives a provider such as GitHub or Stripe a URL to send webhooks to. We verify, store and forward each request.',
          code: {
            label: 'Create a source with the API',
            code: createCurl(baseUrl, path, '{"name": "GitHub", "provider": "GITHUB"}'),
          },
        }}
      />
      <Dialog open={creating} onOpenChange={setCreating} title="New source" size="lg">
        <CreateSourceForm send={create} />
      </Dialog>
    </>
  );
}
