'use client';

import { History } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { formatBytes } from '@/components/orgs/download/format-bytes';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyableId } from '@/components/ui/copyable-id';
import { LoadFailure } from '@/components/ui/error-panel';
import { formatDuration } from '@/components/ui/format-time';
import { Link } from '@/components/ui/link';
import { NoValue } from '@/components/ui/no-value';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { Stat, StatList } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import type { TunnelRequestDetail } from '@/lib/tunnel/schema';
import { CapturedBody, type CapturedBodyProps } from './captured-body';
import { describeFailure } from './describe-failure';
import { HeaderList } from './header-list';
import { replayDisabledReason } from './replay-reason';
import { RequestOutcome } from './request-outcome';
import { SignatureNote } from './signature-note';
import { useTunnelRequest } from './use-tunnel-request';
import { useTunnel } from './use-tunnels';

/** The title cuts a longer path. */
const MAX_TITLE_LENGTH = 60;

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

/** The headers and the body of a logged request or response. */
function MessageCard({
  title,
  headers,
  body,
}: {
  title: 'Request' | 'Response';
  headers: readonly (readonly [string, string])[] | null;
  body: Omit<CapturedBodyProps, 'label'>;
}) {
  return (
    <Card title={title}>
      <div className="grid min-w-0 gap-4">
        <section className="grid min-w-0 gap-2">
          <h3 className="font-medium text-sm">Headers</h3>
          <HeaderList label={`${title} headers`} headers={headers} />
        </section>
        <section className="grid min-w-0 gap-2">
          <h3 className="font-medium text-sm">Body</h3>
          <CapturedBody label={`${title} body`} {...body} />
        </section>
      </div>
    </Card>
  );
}

/** The timing and the sizes of a request, and the request that it repeats. */
function RequestFacts({ request, hrefOf }: { request: TunnelRequestDetail; hrefOf: (requestId: string) => string }) {
  const { path, durationMs, requestSize, responseSize, replayOf } = request;
  return (
    <Card>
      {path.length > MAX_TITLE_LENGTH ? <CodeBlock label="Path" code={path} wrap className="mb-4" /> : null}
      <StatList>
        <Stat label="Duration">{durationMs === null ? <NoValue /> : formatDuration(durationMs)}</Stat>
        <Stat label="Request body">{formatBytes(requestSize)}</Stat>
        <Stat label="Response body">{responseSize === null ? <NoValue /> : formatBytes(responseSize)}</Stat>
        {replayOf === null ? null : (
          <Stat label="Replay of">
            <Link href={hrefOf(replayOf)} className="font-medium font-mono text-accent-text text-xs hover:underline">
              …{replayOf.slice(-8)}
            </Link>
          </Stat>
        )}
      </StatList>
    </Card>
  );
}

/** Sends a logged request again and opens the new one. */
function ReplayButton({
  replay,
  hrefOf,
  disabledReason,
}: {
  replay: () => Promise<string | null>;
  hrefOf: (requestId: string) => string;
  disabledReason: string | undefined;
}) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const run = async () => {
    setPending(true);
    try {
      const id = await replay();
      toast.success('Request replayed.');
      if (id !== null) router.push(hrefOf(id));
    } catch (error) {
      toast.error(`We couldn’t replay the request. ${describeError(error).detail}`);
    } finally {
      setPending(false);
    }
  };
  return (
    <Button variant="primary" loading={pending} disabledReason={disabledReason} onClick={() => void run()}>
      <History aria-hidden="true" />
      Replay
    </Button>
  );
}
