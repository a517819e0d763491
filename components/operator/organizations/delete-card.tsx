'use client';

import { useState } from 'react';
import { formatCount } from '@/components/operator/format-size';
import { useOperator } from '@/components/operator/operator-context';
import { DeleteButton, ExplainedAction } from '@/components/ui/action-buttons';
import { Card } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import type { OrganizationDetail } from '@/lib/admin/schema';

/** Deletes an organization after its exact name is typed. */
export function DeleteCard({ organization, onDeleted }: { organization: OrganizationDetail; onDeleted: () => void }) {
  const { id, name, memberCount, projectCount } = organization;
  const operator = useOperator();
  const [asking, setAsking] = useState(false);
  const erase = async () => {
    await operator.send(`/orgs/${id}`, { method: 'DELETE' });
    toast.success(`${name} was deleted.`);
    onDeleted();
  };
  return (
    <Card title="Delete" className="border-danger-text/40">
      <ExplainedAction text="Deletes the organization for all members. Its audit log is kept. This can’t be undone.">
        <DeleteButton label="Delete organization" onClick={() => setAsking(true)} />
      </ExplainedAction>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete this organization?"
        description={
          <p>
            Permanently deletes {formatCount(projectCount)} {projectCount === 1 ? 'project' : 'projects'} with all API
            keys, events and deliveries. {formatCount(memberCount)}{' '}
            {memberCount === 1 ? 'member loses' : 'members lose'} access immediately. This can’t be undone.
          </p>
        }
        typeToConfirm={name}
        confirmLabel="Delete organization"
        onConfirm={erase}
      />
    </Card>
  );
}
