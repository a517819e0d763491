'use client';

import { type Action, may } from '@/lib/orgs/permissions-policy';
import { useProject } from './use-projects';

/** Returns whether the person can do something in this project; false until it is loaded. */
export function useMay(projectId: string, action: Action): boolean {
  const { project } = useProject(projectId);
  return project ? may(project.organization.role, action) : false;
}
