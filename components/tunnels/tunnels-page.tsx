'use client';

import { FlaskConical } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { columnHelperFor } from '@/components/data-table/column-helper';
import { LiveTable } from '@/components/data-table/live-table';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { useAsyncAction } from '@/components/form/use-async-action';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { CreateButton } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { InlineError } from '@/components/ui/inline-error';
import { PageHeader } from '@/components/ui/page-header';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { CreateTunnelBody, Tunnel } from '@/lib/tunnel/schema';
import { LastSeen } from './last-seen';
import { listenCommand } from './listen-command';
import { createTestReceiver } from './test-receiver';
import { describeTestResponse } from './test-responses';
import { TunnelForm } from './tunnel-form';
import { TunnelState } from './tunnel-state';
import { createTunnel, REFRESH_MS, tunnelsPath } from './use-tunnels';

const column = columnHelperFor<Tunnel>();

const tunnelColumns = column.columns([
  column.accessor('name', {
    header: 'Name',
    meta: { primary: true, className: 'min-w-0 sm:max-w-56' },
    cell: ({ row }) => <span className="block truncate">{row.original.name}</span>,
  }),
  column.accessor('online', {
    header: 'State',
    meta: { unlabelled: true },
    cell: ({ row: { original: tunnel } }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <TunnelState tunnel={tunnel} />
        {tunnel.testResponse === null ? null : (
          <span className="whitespace-nowrap text-muted text-xs">
            Responds with {describeTestResponse(tunnel.testResponse)}
          </span>
        )}
      </span>
    ),
  }),
  column.accessor('url', {
    header: 'URL',
    meta: { unlabelled: true, className: 'min-w-0 sm:max-w-44 md:max-w-80' },
    cell: ({ row: { original: tunnel } }) =>
      tunnel.url === null ? (
        <span className="text-danger-text">Can’t be shown</span>
      ) : (
        <span className="flex min-w-0 items-center gap-0.5 text-muted">
          <code className="truncate font-mono text-xs" title={tunnel.url}>
            {tunnel.url}
          </code>
          <CopyButton text={tunnel.url} label={`Copy URL of ${tunnel.name}`} className="relative z-10" />
        </span>
      ),
  }),
  column.accessor('lastSeenAt', {
    header: 'Last seen',
    meta: { align: 'end' },
    cell: ({ row }) => (
      <span className="text-muted">
        <LastSeen tunnel={row.original} inRow />
      </span>
    ),
  }),
]);

const NOUN = ['tunnel', 'tunnels'] as const;
const NO_FILTERS = {};

/** The tunnels of a project, with the state of each. */
export function TunnelsPage({ projectId }: { projectId: string }) {
  const tunnels = useLivePages<Tunnel>(tunnelsPath(projectId), NO_FILTERS, { pollMs: REFRESH_MS });
  const disabledReason = useDisabledReason(projectId, 'tunnel.manage');
  const router = useRouter();
  const baseUrl = useBaseUrl();
  const [creating, setCreating] = useState(false);
  const hrefOf = (id: string) => `/projects/${projectId}/tunnels/${id}`;
  const create = async (body: CreateTunnelBody) => router.push(hrefOf((await createTunnel(projectId, body)).id));
  const testing = useAsyncAction();
  const createTest = () => testing.run(async () => router.push(hrefOf((await createTestReceiver(projectId)).id)));
  const createButton = (
    <CreateButton label="New tunnel" disabledReason={disabledReason} onClick={() => setCreating(true)} />
  );
  return (
    <>
      <PageHeader
        title="Tunnels"
        description="Public URLs for servers on your own machine, and test receivers that show what arrives."
        actions={
          <>
            <Button disabledReason={disabledReason} loading={testing.pending} onClick={() => void createTest()}>
              <FlaskConical aria-hidden="true" />
              New test receiver
            </Button>
            {tunnels.rows?.length === 0 ? null : createButton}
          </>
        }
      />
      <InlineError what="We couldn’t create the test receiver" error={testing.error} className="mb-4" />
      <LiveTable
        label="Tunnels"
        columns={tunnelColumns}
        pages={tunnels}
        noun={NOUN}
        rowHref={({ id }) => hrefOf(id)}
        empty={
          <EmptyState
            title="No tunnels yet"
            sentence="A tunnel gives the server on your machine a public URL, and logs every request so that you can replay it."
            action={createButton}
            code={{ label: 'Connect port 4000 on this machine', code: listenCommand(baseUrl, projectId, null) }}
          />
        }
      />
      <Dialog open={creating} onOpenChange={setCreating} title="New tunnel">
        <TunnelForm submitLabel="Create tunnel" send={create} />
      </Dialog>
    </>
  );
}
