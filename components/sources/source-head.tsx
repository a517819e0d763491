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
import { EditSourceForm } from './edit-source-form';
import { ProviderMark } from './provider-mark';
import { PROVIDERS } from './providers';
import { useSourceScope } from './source-context';

/** The name and provider of a source, and the buttons that edit and delete it. */
export function SourceHead() {
  const { projectId, source, actions, disabledReason } = useSourceScope();
  const router = useRouter();
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);
  const close = () => setAsked(null);
  const remove = async () => {
    await actions.remove();
    toast.success('Source deleted.');
    router.push(`/projects/${projectId}/sources`);
  };
  return (
    <>
      <PageHeader
        title={
          <span className="flex min-w-0 items-center gap-3">
            <ProviderMark provider={source.provider} size="md" />
            <span className="min-w-0 break-words">{source.name}</span>
          </span>
        }
        description={
          <span className="mt-1.5 flex flex-wrap items-center gap-x-3">
            {source.name === PROVIDERS[source.provider].name ? null : PROVIDERS[source.provider].name}
            <CopyableId id={source.id} label="Copy source ID" />
          </span>
        }
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
      <Dialog
        open={asked === 'edit'}
        onOpenChange={close}
        title="Edit source"
        size={source.provider === 'GENERIC_HMAC' ? 'lg' : 'md'}
      >
        <EditSourceForm
          source={source}
          send={async (body) => {
            await actions.update(body);
            close();
          }}
        />
      </Dialog>
      <ConfirmDialog
        open={asked === 'delete'}
        onOpenChange={close}
        title="Delete this source?"
        description="Its URL stops working immediately: requests to it get 404. Its destinations are deleted too. Incoming events stay visible until retention removes them."
        confirmLabel="Delete source"
        onConfirm={remove}
        typeToConfirm={source.name}
      />
    </>
  );
}
