'use client';

import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { LoadFailure } from '@/components/ui/error-panel';
import { PageSkeleton } from '@/components/ui/skeleton';
import { TestResponseCard } from './test-response-card';
import { TunnelAddress } from './tunnel-address';
import { TunnelHead } from './tunnel-head';
import { TunnelRequests } from './tunnel-requests';
import { useTunnel } from './use-tunnels';

/** One tunnel: its URL and state, who may use it, and its live request log. */
export function TunnelPage({ projectId, tunnelId }: { projectId: string; tunnelId: string }) {
  const actions = useTunnel(projectId, tunnelId);
  const { tunnel, error } = actions;
  const disabledReason = useDisabledReason(projectId, 'tunnel.manage');
  if (tunnel === undefined) {
    if (error)
      return (
        <LoadFailure
          what="tunnel"
          error={error}
          onRetry={() => void actions.reload()}
          back={{ href: `/projects/${projectId}/tunnels`, label: 'All tunnels' }}
        />
      );
    return <PageSkeleton parts={['h-7 w-56', 'h-32 w-full', 'h-64 w-full']} />;
  }
  return (
    <>
      <TunnelHead projectId={projectId} tunnel={tunnel} actions={actions} disabledReason={disabledReason} />
      <div className="grid gap-6">
        <TunnelAddress projectId={projectId} tunnel={tunnel} actions={actions} disabledReason={disabledReason} />
        {tunnel.testResponse === null ? null : (
          <TestResponseCard
            testResponse={tunnel.testResponse}
            update={actions.update}
            disabledReason={disabledReason}
          />
        )}
        <TunnelRequests projectId={projectId} tunnel={tunnel} />
      </div>
    </>
  );
}
