'use client';

import { History } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useToastAction } from '@/components/form/use-async-action';
import { ResourcePage } from '@/components/projects/resource-page';
import { RequestOutcome } from '@/components/projects/state-badges';
import { useDisabledReason } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyableId, shortId } from '@/components/ui/copyable-id';
import { LoadFailure } from '@/components/ui/error-panel';
import { formatBytes } from '@/components/ui/format-figures';
import { formatDuration } from '@/components/ui/format-time';
import { Link, TextLink } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { NoValue, Stat, StatList } from '@/components/ui/stat';
import { toast } from '@/components/ui/toast';
import type { ReplayObstacle, Tunnel, TunnelRequestDetail } from '@/lib/tunnel/schema';
import { CapturedBody, type CapturedBodyProps, HeaderList, SignatureNote } from './captured-request';
import { useTunnel, useTunnelRequest } from './use-tunnels';

/** The title cuts a longer path. */
const MAX_TITLE_LENGTH = 60;

/** One request to a tunnel: what arrived, how the local server responded, and a replay. */
export function TunnelRequestPage() {
  const loaded = useTunnelRequest();
  const { data: tunnel, path } = useTunnel();
  const roleReason = useDisabledReason('tunnel.manage');
  const router = useRouter();
  const { pending, run } = useToastAction('We couldn’t replay the request');
  const hrefOf = (id: string) => `${path}/requests/${id}`;
  const replay = async () => {
    const id = await loaded.replay();
    toast.success('Request replayed.');
    if (id !== null) router.push(hrefOf(id));
  };
  return (
    <ResourcePage
      from={loaded}
      skeleton={['h-7 w-72 max-w-full', 'h-20 w-full', 'h-48 w-full', 'h-48 w-full']}
      failure={(failure) => (
        <LoadFailure what="request" back={{ href: path, label: 'Back to the tunnel' }} {...failure} />
      )}
    >
      {(request) => (
        <>
          <PageHeader
            title={
              <span className="flex flex-wrap items-center gap-2.5">
                <span className="line-clamp-2 break-all font-mono text-lg" title={request.path}>
                  {request.method} {request.path}
                </span>
                <RequestOutcome {...request} />
              </span>
            }
            description={
              <>
                {/* The name may load after the request: one line of its own, so that nothing below it moves. */}
                <span className="block w-0 min-w-full truncate" title={tunnel?.name}>
                  <TextLink href={path}>{tunnel?.name ?? 'Tunnel'}</TextLink>
                </span>
                <span className="flex flex-wrap items-center gap-x-3">
                  <CopyableId id={request.id} label="Copy request ID" />
                  <span>
                    Received <RelativeTime at={request.createdAt} />
                  </span>
                </span>
              </>
            }
            actions={
              <Button
                variant="primary"
                loading={pending}
                disabledReason={replayDisabledReason(request, tunnel, roleReason)}
                onClick={() => run(replay)}
              >
                <History aria-hidden="true" />
                Replay
              </Button>
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
      )}
    </ResourcePage>
  );
}

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
              {shortId(replayOf)}
            </Link>
          </Stat>
        )}
      </StatList>
    </Card>
  );
}

const FAILURES: Record<string, string> = {
  tunnel_offline: 'No client was connected to the tunnel.',
  tunnel_timeout: 'The local server did not respond within 30 seconds.',
  tunnel_busy: 'The tunnel had too many requests in flight.',
  payload_too_large: 'The body was larger than 10 MB.',
  rate_limited: 'The test receiver got more than 600 requests in a minute.',
  invalid_request: 'The sender closed the connection before it got a response.',
  not_found: 'The tunnel got another URL while the request was in flight.',
  unauthenticated: 'The request didn’t include the tunnel’s username and password.',
  forbidden: 'The tunnel doesn’t allow the caller’s IP address, or the request was for a service worker.',
  upgrade_unsupported: 'Tunnels don’t support WebSocket connections.',
};

/** Says in a sentence why a request got no response from the local server. `error` is a code such as tunnel_offline. */
export function describeFailure(error: string): string {
  return Object.hasOwn(FAILURES, error) ? (FAILURES[error] ?? '') : `The request failed: ${error}.`;
}

const OBSTACLES: Record<ReplayObstacle, string> = {
  body_truncated: 'Only the beginning of its body was stored, so it can’t be replayed.',
  body_not_kept: 'Its body wasn’t stored, so it can’t be replayed.',
  headers_not_kept: 'Its headers weren’t stored, so it can’t be replayed.',
};

/** Returns why a request cannot be replayed now; undefined when it can. */
export function replayDisabledReason(
  request: Pick<TunnelRequestDetail, 'replayObstacle'>,
  tunnel: Pick<Tunnel, 'online' | 'testResponse'> | undefined,
  roleReason: string | undefined,
): string | undefined {
  if (roleReason !== undefined) return roleReason;
  if (request.replayObstacle !== null) return OBSTACLES[request.replayObstacle];
  const isOffline = tunnel !== undefined && !tunnel.online && tunnel.testResponse === null;
  return isOffline ? 'The tunnel is offline. Start its client first.' : undefined;
}
