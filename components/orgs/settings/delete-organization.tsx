'use client';

import { useState } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useAfterLeaving } from '@/components/orgs/use-after-leaving';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { DeleteButton, ExplainedAction } from '@/components/ui/action-buttons';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import type { OrganizationSummary } from '@/lib/orgs/schema';
import { DeletionSummary } from './deletion-summary';

/** Deletes the organization after its exact name is typed. */
export function DeleteOrganization({ organization }: { organization: OrganizationSummary }) {
  const { id, name, role } = organization;
  const afterLeaving = useAfterLeaving();
  const [asking, setAsking] = useState(false);
  const erase = async () => {
    await apiFetch(`/orgs/${id}`, { method: 'DELETE' });
    toast.success(`${name} was deleted.`);
    await afterLeaving(id);
  };
  return (
    <ExplainedAction text="Deletes the organization for all members. Download an export first if you might need the data.">
      <DeleteButton
        label="Delete organization"
        disabledReason={roleDisabledReason(role, 'organization.delete')}
        onClick={() => setAsking(true)}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete this organization?"
        description={<DeletionSummary organizationId={id} />}
        typeToConfirm={name}
        confirmLabel="Delete organization"
        onConfirm={erase}
      />
    </ExplainedAction>
  );
}
