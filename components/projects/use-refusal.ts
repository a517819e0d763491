'use client';

import type { Action } from '@/lib/orgs/permissions-policy';
import { roleRefusal } from './role-refusal';
import { useProject } from './use-projects';

/** Why the person may not do something in this project; undefined when they may. For `disabledReason`. */
export function useRefusal(projectId: string, action: Action): string | undefined {
  const { project } = useProject(projectId);
  return roleRefusal(project?.organization.role, action);
}
