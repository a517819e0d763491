'use client';

import { apiFetch } from '@/components/auth-session/api-fetch';
import { useApiForm } from '@/components/form/use-api-form';
import { PROJECT_NAME_RULES } from '@/components/projects/project-name-field';
import { type Role, roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { useProjects } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { CopyableId } from '@/components/ui/copyable-id';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { toast } from '@/components/ui/toast';
import type { Project } from '@/lib/orgs/schema';

/** The name and id of a project. Admins can change the name. */
export function RenameProject({
  project,
  role,
  onRenamed,
}: {
  project: Project;
  role: Role;
  onRenamed: (project: Project) => Promise<unknown>;
}) {
  const { reload } = useProjects();
  const disabledReason = roleDisabledReason(role, 'project.manage');
  const form = useApiForm({
    defaultValues: { name: project.name },
    send: async (body) => {
      const renamed = await apiFetch<Project>(`/projects/${project.id}`, { method: 'PATCH', body });
      await onRenamed(renamed);
      await reload();
      form.reset({ name: renamed.name });
      toast.success('Name saved.');
    },
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <form noValidate onSubmit={form.submit} className="grid gap-3">
        <Field label="Name" error={form.fieldError('name')}>
          {(control) => (
            <div className="flex flex-wrap gap-2">
              <Input
                {...control}
                {...form.register('name', PROJECT_NAME_RULES)}
                readOnly={disabledReason !== undefined}
                autoComplete="off"
                className="min-w-48 flex-1 read-only:bg-sunken read-only:text-muted"
              />
              <Button
                type="submit"
                className="h-9"
                loading={form.pending}
                disabledReason={disabledReason ?? (form.formState.isDirty ? undefined : 'No changes to save')}
              >
                Save name
              </Button>
            </div>
          )}
        </Field>
        <InlineError what="The name could not be saved" error={form.error} />
      </form>
      <div>
        <p className="font-medium text-sm">Project ID</p>
        <CopyableId id={project.id} label="Copy project ID" className="mt-0.5 text-muted" />
      </div>
    </div>
  );
}
