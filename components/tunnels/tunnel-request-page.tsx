'use client';

import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Callout } from '@/components/ui/callout';
import { CopyableId } from '@/components/ui/copyable-id';
import { LoadFailure } from '@/components/ui/error-panel';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { describeFailure } from './describe-failure';
import { MessageCard } from './message-card';
import { ReplayButton } from './replay-button';
import { replayDisabledReason } from './replay-reason';
import { RequestFacts } from './request-facts';
import { RequestOutcome } from './request-outcome';
import { SignatureNote } from './signature-note';
import { useTunnelRequest } from './use-tunnel-request';
import { useTunnel } from './use-tunnels';

interface Ids {
  projectId: string;
  tunnelId: string;
  requestId: string;
}

/** One request to a tunnel: what arrived, how the local server responded, and a replay. */
export function TunnelRequestPage({ projectId, tunnelId, requestId }: Ids) {
  const { request, error, reload, replay } = useTunnelRequest(projectId, tunnelId, requestId);
  const { tunnel } = useTunnel(projectId, tunnelId);
  const roleReason = useDisabledReason(projectId, 'tunnel.manage');
  if (request === undefined) {
    if (error)
      return (
        <LoadFailure
          what="request"
          error={error}
          onRetry={() => void reload()}
          back={{ href: `/projects/${projectId}/tunnels/${tunnelId}`, label: 'Back to the tunnel' }}
        />
      );
    return <PageSkeleton parts={['h-7 w-72 max-w-full', 'h-20 w-full', 'h-48 w-full', 'h-48 w-full']} />;
  }
  const tunnelHref = `/projects/${projectId}/tunnels/${tunnelId}`;
  const hrefOf = (id: string) => `${tunnelHref}/requests/${id}`;
  return (
    <>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            <span className="line-clamp-2 break-all font-mono text-lg" title={request.path}>
              {request.method} {request.path}
            </span>
            <RequestOutcome request={request} />
          </span>
        }
        description={
          <span className="flex flex-wrap items-center gap-x-3">
            <Link href={tunnelHref} className="font-medium text-accent-text hover:underline">
              {tunnel?.name ?? 'Tunnel'}
            </Link>
            <CopyableId id={request.id} label="Copy request ID" />
            <span>
              Received <RelativeTime at={request.createdAt} />
            </span>
          </span>
        }
        actions={
          <ReplayButton
            replay={replay}
            hrefOf={hrefOf}
            disabledReason={replayDisabledReason(request, tunnel, roleReason)}
          />
        }
      />
      <div className="grid gap-4">
        {request.error === null ? null : <Callout tone="danger">{describeFailure(request.error)}</Callout>}
        {request.signature === null ? null : <SignatureNote signature={request.signature} />}
        <RequestFacts request={request} hrefOf={hrefOf} />
        <MessageCard
          title="Request"
          headers={request.requestHeaders}
          body={{
            size: request.requestSize,
            text: request.requestBody,
            base64: request.requestBodyBase64,
            truncated: request.requestBodyTruncated,
            fileName: `request-${request.id}.bin`,
          }}
        />
        {request.responseSize === null ? null : (
          <MessageCard
            title="Response"
            headers={request.responseHeaders}
            body={{
              size: request.responseSize,
              text: request.responseBody,
              base64: request.responseBodyBase64,
              truncated: request.responseBodyTruncated,
              fileName: `response-${request.id}.bin`,
            }}
          />
        )}
      </div>
    </>
  );
}
