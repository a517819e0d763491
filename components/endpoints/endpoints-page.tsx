'use client';

import { useRouter } from 'next/navigation';
import { useMemo, useState } from 'react';
import { ListPage } from '@/components/data-table/list-page';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { createTestReceiver } from '@/components/tunnels/test-receiver';
import { CreateButton } from '@/components/ui/action-buttons';
import { Dialog } from '@/components/ui/dialog';
import { useBaseUrl } from '@/components/ui/use-base-url';
import { endpointColumns } from './endpoint-columns';
import { EndpointForm } from './endpoint-form';
import { useEndpointHealth } from './use-endpoint-health';
import { createEndpoint, type EndpointBody, useEndpoints } from './use-endpoints';

/** The endpoints of a project. */
export function EndpointsPage({ projectId }: { projectId: string }) {
  const endpoints = useEndpoints(projectId);
  const disabledReason = useDisabledReason(projectId, 'endpoint.manage');
  const router = useRouter();
  const baseUrl = useBaseUrl();
  const { health } = useEndpointHealth(
    projectId,
    endpoints.rows?.map(({ id }) => id),
  );
  const columns = useMemo(() => endpointColumns(projectId, (id) => health?.get(id)), [projectId, health]);
  const [creating, setCreating] = useState(false);
  const hrefOf = (id: string) => `/projects/${projectId}/endpoints/${id}`;
  const create = async (body: EndpointBody) => router.push(hrefOf((await createEndpoint(projectId, body)).id));
  return (
    <>
      <ListPage
        title="Endpoints"
        description="The URLs that receive events."
        createButton={
          <CreateButton label="New endpoint" disabledReason={disabledReason} onClick={() => setCreating(true)} />
        }
        columns={columns}
        pages={endpoints}
        rowHref={(endpoint) => hrefOf(endpoint.id)}
        empty={{
          title: 'No endpoints yet',
          sentence: 'An endpoint is a URL on your server that receives events. Subscriptions choose which ones.',
          code: { label: 'Create an endpoint with the API', code: endpointCurl(baseUrl, projectId) },
        }}
      />
      <Dialog open={creating} onOpenChange={setCreating} title="New endpoint">
        <EndpointForm
          submitLabel="Create endpoint"
          send={create}
          makeTestUrl={async () => (await createTestReceiver(projectId)).url}
        />
      </Dialog>
    </>
  );
}

function endpointCurl(baseUrl: string, projectId: string): string {
  return `curl ${baseUrl}/api/v1/projects/${projectId}/endpoints \\
  -H "X-API-Key: $EDS_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://example.com/webhooks"}'`;
}
