'use client';

import type { Action } from '@/lib/orgs/permissions-policy';
import { roleDisabledReason } from './role-disabled-reason';
import { useProject } from './use-projects';

/** Returns why the person cannot do something in this project; undefined when they can. */
export function useDisabledReason(projectId: string, action: Action): string | undefined {
  const { project } = useProject(projectId);
  return roleDisabledReason(project?.organization.role, action);
}
