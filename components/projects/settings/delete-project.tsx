'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { type Role, roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { useProjects } from '@/components/projects/use-projects';
import { forgetLastProject } from '@/components/shell/last-project';
import { DeleteButton, ExplainedAction } from '@/components/ui/action-buttons';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { toast } from '@/components/ui/toast';
import type { Project } from '@/lib/orgs/schema';

/** Deletes the project after its exact name is typed. */
export function DeleteProject({ project: { id, name }, role }: { project: Project; role: Role }) {
  const router = useRouter();
  const { reload } = useProjects();
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    await apiFetch(`/projects/${id}`, { method: 'DELETE' });
    forgetLastProject();
    toast.success(`${name} is deleted.`);
    router.replace('/');
    await reload();
  };
  return (
    <ExplainedAction text="Deletes the project with its API keys, endpoints, subscriptions, sources, destinations, tunnels, events and deliveries.">
      <DeleteButton
        label="Delete project"
        disabledReason={roleDisabledReason(role, 'project.manage')}
        onClick={() => setAsking(true)}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete this project?"
        description="Its API keys stop working and deliveries stop immediately. All its data is deleted. This can’t be undone."
        typeToConfirm={name}
        confirmLabel="Delete project"
        onConfirm={remove}
      />
    </ExplainedAction>
  );
}
