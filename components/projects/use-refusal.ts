'use client';

import { type Role, roleRefusal } from './role-refusal';
import { useProject } from './use-projects';

/** Why the person may not write in this project; undefined when they may. For `disabledReason`. */
export function useRefusal(projectId: string, least: Role = 'DEVELOPER'): string | undefined {
  const { project } = useProject(projectId);
  return roleRefusal(project?.organization.role, least);
}
