'use client';

import { useRouter } from 'next/navigation';
import { useMemo, useState } from 'react';
import { columnsOf } from '@/components/data-table/column-helper';
import { ListPage } from '@/components/data-table/paged-table';
import { usePages } from '@/components/data-table/use-pages';
import { createCurl } from '@/components/keys/samples';
import { EndpointState } from '@/components/projects/state-badges';
import { useDisabledReason, useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { CreateButton } from '@/components/ui/action-buttons';
import { Dialog } from '@/components/ui/dialog';
import { formatShare } from '@/components/ui/format-figures';
import { formatDuration } from '@/components/ui/format-time';
import { TextLink } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { Endpoint } from '@/lib/delivery/schema';
import type { EndpointHealth } from '@/lib/stats/schema';
import { EndpointForm } from './endpoint-form';
import { HealthSparkline, LastDeliveries } from './endpoint-health';
import { TargetUrl } from './target-url';
import { createEndpoint, useEndpointHealth } from './use-endpoints';

const endpointColumns = (healthOf: (id: string) => EndpointHealth | undefined) =>
  columnsOf<Endpoint>([
    {
      header: 'URL',
      primary: true,
      className: 'min-w-0 sm:max-w-64 md:max-w-72',
      cell: ({ url }) => <TargetUrl url={url} />,
    },
    {
      header: 'Description',
      unlabelled: true,
      className: 'sm:max-w-56',
      cell: ({ description }) => (
        <span className="block truncate text-muted" title={description ?? undefined}>
          {description ?? '–'}
        </span>
      ),
    },
    { header: 'State', unlabelled: true, cell: (endpoint) => <EndpointState {...endpoint} /> },
    { header: 'Last 24 hours', cell: ({ id }) => <HealthCell health={healthOf(id)} /> },
    {
      header: 'Recent deliveries',
      hidden: 'max-sm:hidden max-2xl:hidden',
      cell: ({ id }) => {
        const health = healthOf(id);
        // Above the link of the row.
        return (
          health && (
            <span className="relative z-10">
              <LastDeliveries health={health} />
            </span>
          )
        );
      },
    },
    {
      header: 'Created',
      align: 'end',
      hidden: 'max-sm:hidden max-xl:hidden',
      cell: ({ createdAt }) => <RelativeTime at={createdAt} inRow />,
    },
  ]);

/** The endpoints of a project. */
export function EndpointsPage() {
  const projectId = useProjectId();
  const path = useProjectPath('endpoints');
  const subscriptionsPath = useProjectPath('subscriptions');
  const endpoints = usePages<Endpoint>(path);
  const disabledReason = useDisabledReason('endpoint.manage');
  const router = useRouter();
  const baseUrl = useBaseUrl();
  const { health } = useEndpointHealth(endpoints.rows?.map(({ id }) => id));
  const columns = useMemo(() => endpointColumns((id) => health?.get(id)), [health]);
  const [creating, setCreating] = useState(false);
  return (
    <>
      <ListPage
        title="Endpoints"
        description={
          <>
            The URLs that receive events. <TextLink href={subscriptionsPath}>Subscriptions</TextLink> choose which ones.
          </>
        }
        createButton={
          <CreateButton label="New endpoint" disabledReason={disabledReason} onClick={() => setCreating(true)} />
        }
        columns={columns}
        pages={endpoints}
        rowHref={({ id }) => `${path}/${id}`}
        empty={{
          title: 'No endpoints yet',
          sentence: 'An endpoint is a URL on your server that receives events. Subscriptions choose which ones.',
          code: {
            label: 'Create an endpoint with the API',
            code: createCurl(baseUrl, path, '{"url": "https://example.com/webhooks"}'),
          },
        }}
      />
      <Dialog open={creating} onOpenChange={setCreating} title="New endpoint">
        <EndpointForm send={async (body) => router.push(`${path}/${(await createEndpoint(projectId, body)).id}`)} />
      </Dialog>
    </>
  );
}

function HealthCell({ health }: { health: EndpointHealth | undefined }) {
  if (health === undefined) return <span className="text-muted">…</span>;
  const { succeeded, failed } = health.attempts;
  const share = formatShare(succeeded, succeeded + failed);
  return (
    <span className="flex min-w-0 flex-1 items-center gap-3 max-sm:flex-col max-sm:items-stretch max-sm:gap-1 max-sm:py-1">
      <HealthSparkline health={health} className="max-sm:w-full sm:max-md:hidden" />
      <span className="whitespace-nowrap text-xs tabular-nums">
        <span className="sm:block">{share === null ? 'No attempts' : `${share} succeeded`}</span>
        {health.attemptDuration === null ? null : (
          <>
            <span className="text-muted sm:hidden"> · </span>
            <span className="text-muted sm:block">p95 {formatDuration(health.attemptDuration.p95Ms)}</span>
          </>
        )}
      </span>
    </span>
  );
}
