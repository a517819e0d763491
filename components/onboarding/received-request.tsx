'use client';

import useSWR from 'swr';
import type { CursorPage } from '@/components/data-table/use-pages';
import { CapturedBody } from '@/components/tunnels/captured-body';
import { HeaderList } from '@/components/tunnels/header-list';
import { SignatureNote } from '@/components/tunnels/signature-note';
import { useTestReceiver } from '@/components/tunnels/use-test-receiver';
import { requestsPath } from '@/components/tunnels/use-tunnel-request';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import type { TunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';

/** The log is written shortly after the response. */
const REFRESH_MS = 500;

/** What the test receiver of an endpoint saw last; nothing for an endpoint with another URL. */
export function ReceivedRequest({ projectId, endpointUrl }: { projectId: string; endpointUrl: string }) {
  const receiver = useTestReceiver(projectId, endpointUrl);
  const path = receiver === undefined ? null : requestsPath(projectId, receiver.id);
  const requests = useSWR<CursorPage<TunnelRequest>>(path === null ? null : `${path}?limit=1`, {
    refreshInterval: (found) => (found?.data.length ? 0 : REFRESH_MS),
  });
  const newest = requests.data?.data[0];
  const { data: request } = useSWR<TunnelRequestDetail>(newest === undefined ? null : `${path}/${newest.id}`);
  if (receiver === undefined || request === undefined) return null;
  const href = `/projects/${projectId}/tunnels/${receiver.id}`;
  return (
    <Card
      title="What your endpoint received"
      actions={
        <Link href={href} className="font-medium text-accent-text text-sm hover:underline">
          Open test receiver
        </Link>
      }
    >
      <div className="grid min-w-0 gap-4">
        {request.signature === null ? null : <SignatureNote signature={request.signature} />}
        <CapturedBody
          label="Request body"
          size={request.requestSize}
          text={request.requestBody}
          base64={request.requestBodyBase64}
          truncated={request.requestBodyTruncated}
          fileName={`request-${request.id}.bin`}
        />
        <details className="min-w-0">
          <summary className="mb-2 w-fit cursor-pointer rounded-sm text-accent-text text-sm">Headers</summary>
          <HeaderList label="Request headers" headers={request.requestHeaders} />
        </details>
      </div>
    </Card>
  );
}
