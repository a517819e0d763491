'use client';

import { FlaskConical } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { columnsOf } from '@/components/data-table/column-helper';
import { LiveTable } from '@/components/data-table/live-table';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { useAsyncAction } from '@/components/form/use-async-action';
import { LastSeen, TunnelState } from '@/components/projects/state-badges';
import { useDisabledReason, useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { CreateButton } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { InlineError } from '@/components/ui/inline-error';
import { PageHeader } from '@/components/ui/page-header';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Tunnel } from '@/lib/tunnel/schema';
import { TunnelForm } from './tunnel-form';
import { createTestReceiver, createTunnel, describeTestResponse, listenCommand, REFRESH_MS } from './use-tunnels';

const tunnelColumns = columnsOf<Tunnel>([
  {
    header: 'Name',
    primary: true,
    className: 'min-w-0 sm:max-w-56',
    cell: ({ name }) => (
      <span className="block truncate" title={name}>
        {name}
      </span>
    ),
  },
  {
    header: 'State',
    unlabelled: true,
    cell: (tunnel) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <TunnelState {...tunnel} />
        {tunnel.testResponse === null ? null : (
          <span className="whitespace-nowrap text-muted text-xs">
            Responds with {describeTestResponse(tunnel.testResponse)}
          </span>
        )}
      </span>
    ),
  },
  {
    header: 'URL',
    unlabelled: true,
    className: 'min-w-0 sm:max-w-44 md:max-w-80',
    cell: ({ name, url }) =>
      url === null ? (
        <span className="text-danger-text">Can’t be shown</span>
      ) : (
        <span className="flex min-w-0 items-center gap-0.5 text-muted">
          <code className="truncate font-mono text-xs" title={url}>
            {url}
          </code>
          <CopyButton text={url} label={`Copy URL of ${name}`} className="relative z-10" />
        </span>
      ),
  },
  {
    header: 'Last seen',
    align: 'end',
    cell: (tunnel) => (
      <span className="text-muted">
        <LastSeen tunnel={tunnel} inRow />
      </span>
    ),
  },
]);

const NOUN = ['tunnel', 'tunnels'] as const;
const NO_FILTERS = {};

/** The tunnels of a project, with the state of each. */
export function TunnelsPage() {
  const projectId = useProjectId();
  const path = useProjectPath('tunnels');
  const tunnels = useLivePages<Tunnel>(path, NO_FILTERS, { pollMs: REFRESH_MS });
  const disabledReason = useDisabledReason('tunnel.manage');
  const router = useRouter();
  const baseUrl = useBaseUrl();
  const [creating, setCreating] = useState(false);
  const testing = useAsyncAction();
  const openMade = async (made: Promise<Tunnel>) => router.push(`${path}/${(await made).id}`);
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
            <Button
              disabledReason={disabledReason}
              loading={testing.pending}
              onClick={() => void testing.run(() => openMade(createTestReceiver(projectId)))}
            >
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
        rowHref={({ id }) => `${path}/${id}`}
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
        <TunnelForm send={(body) => openMade(createTunnel(projectId, body))} />
      </Dialog>
    </>
  );
}
