'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { DialogForm, TextField } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { useProjects } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { Organization } from '@/lib/orgs/schema';
import { switchOrganization } from './use-organization';

/** Creates an organization and switches to it. */
export function CreateOrganizationDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const { reload } = useProjects();
  const form = useApiForm({
    defaultValues: { name: '' },
    send: async (body) => {
      const organization = await apiFetch<Organization>('/orgs', { method: 'POST', body });
      await reload();
      onClose();
      // The organization exists: if switching fails, its settings still open.
      await switchOrganization(organization.id).then(
        () => router.push('/'),
        () => router.push(`/orgs/${organization.id}/settings`),
      );
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New organization"
      description="You’ll be its owner. It has its own members, projects and API keys."
    >
      <DialogForm form={form} label="Create organization" failure="We couldn’t create the organization">
        <TextField
          form={form}
          name="name"
          label="Name"
          rules={{ required: 'Give the organization a name.' }}
          placeholder="Acme Inc"
        />
      </DialogForm>
    </Dialog>
  );
}

/** Shown to a person without an organization. */
export function NoOrganization() {
  const [open, setOpen] = useState(false);
  return (
    <div className="grid justify-items-start gap-3">
      <p className="max-w-prose text-sm">
        You aren’t in any organizations. Create one, or ask a colleague to invite you.
      </p>
      <Button variant="primary" onClick={() => setOpen(true)}>
        New organization
      </Button>
      {open ? <CreateOrganizationDialog onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
