'use client';

import { Pencil } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { DeleteButton } from '@/components/ui/action-buttons';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, type DialogProps } from '@/components/ui/dialog';
import { LoadFailure } from '@/components/ui/error-panel';
import { PageHeader } from '@/components/ui/page-header';
import { PageSkeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { useProjectPath } from './use-projects';

interface Failure {
  error: unknown;
  onRetry: () => void;
}

interface ResourcePageProps<Resource> {
  from: { data: Resource | undefined; error: unknown; reload: () => unknown };
  /** The classes of the placeholders while it loads. */
  skeleton: readonly string[];
  /** Why it cannot be shown. */
  failure: (failure: Failure) => ReactNode;
  children: (resource: Resource) => ReactNode;
}

/** The page of one resource once it is loaded; before that a skeleton, or why it cannot be shown. */
export function ResourcePage<Resource>({ from, skeleton, failure, children }: ResourcePageProps<Resource>) {
  if (from.data !== undefined) return children(from.data);
  if (from.error) return failure({ error: from.error, onRetry: () => void from.reload() });
  return <PageSkeleton parts={skeleton} />;
}

/** Says why a resource cannot be shown, with a way back to the list. */
export function ResourceFailure({ kind, ...failure }: Failure & { kind: ResourceKind }) {
  const href = useProjectPath(listOf(kind));
  return <LoadFailure what={kind} back={{ href, label: `All ${kind}s` }} {...failure} />;
}

/** The last part of the path of a list. */
const listOf = (kind: ResourceKind) => `${kind.replace(' ', '-')}s`;

type ResourceKind = 'alert' | 'customer' | 'endpoint' | 'event type' | 'source' | 'tunnel' | 'key';

interface ResourceHeadProps {
  kind: ResourceKind;
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
}

/** The head of the page of a resource, with the buttons that edit and delete it. */
export function ResourceHead(props: ResourceHeadProps) {
  const { kind, title, description, actions, disabledReason, editForm, editSize = 'md' } = props;
  const { deletion, remove } = props;
  const listPath = useProjectPath(listOf(kind));
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
