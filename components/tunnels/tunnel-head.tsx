'use client';

import { ResourceHead } from '@/components/projects/resource-head';
import { CopyableId } from '@/components/ui/copyable-id';
import type { Tunnel } from '@/lib/tunnel/schema';
import { TunnelForm } from './tunnel-form';
import { TunnelState } from './tunnel-state';
import type { TunnelActions } from './use-tunnels';

/** The name and state of a tunnel, and the buttons that edit and delete it. */
export function TunnelHead({
  projectId,
  tunnel,
  actions,
  disabledReason,
}: {
  projectId: string;
  tunnel: Tunnel;
  actions: TunnelActions;
  disabledReason: string | undefined;
}) {
  return (
    <ResourceHead
      kind="tunnel"
      title={
        <span className="flex flex-wrap items-center gap-2.5">
          <span className="min-w-0 break-words">{tunnel.name}</span>
          <span role="status">
            <TunnelState tunnel={tunnel} />
          </span>
        </span>
      }
      description={<CopyableId id={tunnel.id} label="Copy tunnel ID" />}
      disabledReason={disabledReason}
      editForm={(close) => (
        <TunnelForm tunnel={tunnel} submitLabel="Save tunnel" send={(body) => actions.update(body).then(close)} />
      )}
      deletion={{
        title: `Delete ${tunnel.name}?`,
        description:
          'Its URL stops working, its client disconnects, and its request log is gone. This can’t be undone.',
      }}
      remove={actions.remove}
      listPath={`/projects/${projectId}/tunnels`}
    />
  );
}
