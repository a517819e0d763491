'use client';

import { useRouter } from 'next/navigation';
import { useApiForm } from '@/components/form/use-api-form';
import { roleRefusal } from '@/components/projects/role-refusal';
import { useProjects } from '@/components/projects/use-projects';
import { apiFetch } from '@/components/session/api-fetch';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import type { Project } from '@/lib/orgs/schema';

/** The first project, in the person's first organization where they may make one. */
export function ProjectStep() {
  const router = useRouter();
  const { organizations, reload } = useProjects();
  const organization =
    organizations?.find(({ role }) => roleRefusal(role, 'project.manage') === undefined) ?? organizations?.[0];
  const form = useApiForm({
    defaultValues: { name: '' },
    send: async (body) => {
      const project = await apiFetch<Project>(`/orgs/${organization?.id}/projects`, { method: 'POST', body });
      await reload();
      router.replace(`/?project=${project.id}`);
    },
  });
  if (organization === undefined) {
    return <Callout tone="warning">You belong to no organization. Ask a colleague to invite you to theirs.</Callout>;
  }
  return (
    <form noValidate onSubmit={form.submit} className="grid max-w-md gap-3">
      <Field
        label="Name"
        error={form.fieldError('name')}
        hint={`In ${organization.name}. Keys, endpoints and events of a project stay apart from those of others.`}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('name', { required: 'Give the project a name.' })}
            autoComplete="off"
            placeholder="Web shop"
          />
        )}
      </Field>
      <InlineError what="The project could not be created" error={form.error} />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        loading={form.pending}
        disabledReason={roleRefusal(organization.role, 'project.manage')}
      >
        Create project
      </Button>
    </form>
  );
}
