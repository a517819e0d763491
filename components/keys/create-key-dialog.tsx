'use client';

import { CreateKeyForm } from './create-key-form';
import { NewKeyDialog } from './new-key-dialog';
import type { useKeys } from './use-keys';

/** Creates a key and shows it once. */
export function CreateKeyDialog({
  projectId,
  open,
  onClose,
  create,
}: {
  projectId: string;
  open: boolean;
  onClose: () => void;
  create: ReturnType<typeof useKeys>['create'];
}) {
  return (
    <NewKeyDialog
      projectId={projectId}
      open={open}
      onClose={onClose}
      title="New API key"
      description="Your servers use this key to call the API."
      form={(reveal) => <CreateKeyForm send={(body) => reveal(() => create(body))} />}
    />
  );
}
