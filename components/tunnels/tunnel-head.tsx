'use client';

import { Pencil } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { DeleteButton } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { CopyableId } from '@/components/ui/copyable-id';
import { Dialog } from '@/components/ui/dialog';
import { PageHeader } from '@/components/ui/page-header';
import { toast } from '@/components/ui/toast';
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
  const router = useRouter();
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);
  const close = () => setAsked(null);
  const remove = async () => {
    await actions.remove();
    toast.success('Tunnel deleted.');
    router.push(`/projects/${projectId}/tunnels`);
  };
  return (
    <>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-2.5">
            <span className="min-w-0 break-words">{tunnel.name}</span>
            <span role="status">
              <TunnelState online={tunnel.online} />
            </span>
          </span>
        }
        description={<CopyableId id={tunnel.id} label="Copy tunnel ID" />}
        actions={
          <>
            <Button disabledReason={disabledReason} onClick={() => setAsked('edit')}>
              <Pencil aria-hidden="true" />
              Edit
            </Button>
            <DeleteButton label="Delete" disabledReason={disabledReason} onClick={() => setAsked('delete')} />
          </>
        }
      />
      <Dialog open={asked === 'edit'} onOpenChange={close} title="Edit tunnel">
        <TunnelForm
          tunnel={tunnel}
          submitLabel="Save tunnel"
          send={async (body) => {
            await actions.update(body);
            close();
          }}
        />
      </Dialog>
      <ConfirmDialog
        open={asked === 'delete'}
        onOpenChange={close}
        title={`Delete ${tunnel.name}?`}
        description="Its URL stops working, its client is disconnected, and its request log can no longer be read. This cannot be undone."
        confirmLabel="Delete tunnel"
        onConfirm={remove}
      />
    </>
  );
}
