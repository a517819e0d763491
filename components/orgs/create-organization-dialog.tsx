'use client';

import { useRouter } from 'next/navigation';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { useProjects } from '@/components/projects/use-projects';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { Organization } from '@/lib/orgs/schema';
import { switchOrganization } from './use-switch-organization';

/** Creates an organization and switches to it. */
export function CreateOrganizationDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New organization"
      description="You’ll be its owner. It has its own members, projects and API keys."
    >
      <CreateOrganizationForm onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function CreateOrganizationForm({ onDone }: { onDone: () => void }) {
  const router = useRouter();
  const { reload } = useProjects();
  const form = useApiForm({
    defaultValues: { name: '' },
    send: async (body) => {
      const organization = await apiFetch<Organization>('/orgs', { method: 'POST', body });
      await reload();
      onDone();
      // The organization exists: if switching fails, its settings still open.
      await switchOrganization(organization.id).then(
        () => router.push('/'),
        () => router.push(`/orgs/${organization.id}/settings`),
      );
    },
  });
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <Field label="Name" error={form.fieldError('name')}>
        {(control) => (
          <Input
            {...control}
            {...form.register('name', { required: 'Give the organization a name.' })}
            autoComplete="off"
            placeholder="Acme Inc"
          />
        )}
      </Field>
      <DialogSubmit
        label="Create organization"
        failure="We couldn’t create the organization"
        error={form.error}
        pending={form.pending}
      />
    </form>
  );
}
