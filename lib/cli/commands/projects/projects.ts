import type { GroupSpec } from '@/lib/cli/spec';
import { createProject } from './create-project';
import { deleteProject } from './delete-project';
import { listProjects } from './list-projects';
import { useProject } from './use-project';

export const projects: GroupSpec = {
  name: 'projects',
  summary: 'Create, switch and delete projects.',
  commands: [listProjects, useProject, createProject, deleteProject],
};
