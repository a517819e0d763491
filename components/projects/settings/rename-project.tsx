'use client';

import { apiFetch } from '@/components/auth-session/api-fetch';
import { NameForm } from '@/components/form/name-form';
import { PROJECT_NAME_RULES } from '@/components/projects/project-name-field';
import { type Role, roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { useProjects } from '@/components/projects/use-projects';
import type { Project } from '@/lib/orgs/schema';

/** The name and id of a project. Admins can change the name. */
export function RenameProject({
  project: { id, name },
  role,
  onRenamed,
}: {
  project: Project;
  role: Role;
  onRenamed: (project: Project) => Promise<unknown>;
}) {
  const { reload } = useProjects();
  const rename = async (body: { name: string }) => {
    const renamed = await apiFetch<Project>(`/projects/${id}`, { method: 'PATCH', body });
    await onRenamed(renamed);
    await reload();
    return renamed.name;
  };
  return (
    <NameForm
      kind="project"
      {...{ id, name, rename }}
      rules={PROJECT_NAME_RULES}
      disabledReason={roleDisabledReason(role, 'project.manage')}
    />
  );
}
