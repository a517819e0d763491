'use client';

import { Pencil } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { DeleteButton } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, type DialogProps } from '@/components/ui/dialog';
import { PageHeader } from '@/components/ui/page-header';
import { toast } from '@/components/ui/toast';

export interface ResourceHeadProps {
  kind: 'endpoint' | 'source' | 'tunnel';
  title: ReactNode;
  description: ReactNode;
  /** Buttons before Edit. */
  actions?: ReactNode;
  /** Why the resource cannot be changed; undefined when it can. */
  disabledReason: string | undefined;
  /** Returns the form that edits the resource; it calls `close` once it has saved. */
  editForm: (close: () => void) => ReactNode;
  editSize?: DialogProps['size'];
  deletion: { title: string; description: string; typeToConfirm?: string };
  remove: () => Promise<unknown>;
  /** The list to show after the deletion. */
  listPath: string;
}

/** The head of the page of a resource, with the buttons that edit and delete it. */
export function ResourceHead(props: ResourceHeadProps) {
  const { kind, title, description, actions, disabledReason, editForm, editSize = 'md' } = props;
  const { deletion, remove, listPath } = props;
  const router = useRouter();
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);
  const close = () => setAsked(null);
  const removeAndLeave = async () => {
    await remove();
    toast.success(`${kind.charAt(0).toUpperCase()}${kind.slice(1)} deleted.`);
    router.push(listPath);
  };
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          <>
            {actions}
            <Button disabledReason={disabledReason} onClick={() => setAsked('edit')}>
              <Pencil aria-hidden="true" />
              Edit
            </Button>
            <DeleteButton label="Delete" disabledReason={disabledReason} onClick={() => setAsked('delete')} />
          </>
        }
      />
      <Dialog open={asked === 'edit'} onOpenChange={close} title={`Edit ${kind}`} size={editSize}>
        {editForm(close)}
      </Dialog>
      <ConfirmDialog
        open={asked === 'delete'}
        onOpenChange={close}
        {...deletion}
        confirmLabel={`Delete ${kind}`}
        onConfirm={removeAndLeave}
      />
    </>
  );
}
