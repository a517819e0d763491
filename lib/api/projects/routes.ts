import { person, personOrKey } from '@/lib/api/callers';
import { created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { createProject, deleteProject, getProject, listProjects } from '@/lib/orgs/projects';
import { CreateProjectBody, ListedProject, Project, UpdateProjectBody } from '@/lib/orgs/schema';
import { systemClock } from '@/lib/platform/clock';
import { listingOf, PageQuery } from '@/lib/platform/pagination';
import { updateProjectSettings } from '@/lib/portal/settings';
import { listProjectLimits } from '@/lib/usage/list-limits';
import { ProjectLimits } from '@/lib/usage/schema';

export const list = route({
  summary: 'List the projects of an organization.',
  caller: person('project.read'),
  params: ['orgId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(ListedProject) },
  handler: async ({ caller, query }) => ok(await listProjects(caller, query)),
});

export const create = route({
  summary: 'Create a project in an organization.',
  caller: person('project.manage'),
  params: ['orgId'],
  body: CreateProjectBody,
  errors: ['limit_reached'],
  response: { status: 201, schema: Project },
  handler: async ({ caller, body }) => created(await createProject(caller, body)),
});

export const get = route({
  summary: 'Get a project.',
  caller: personOrKey('project.read', 'read'),
  params: ['projectId'],
  response: { status: 200, schema: Project },
  handler: async ({ caller, params }) => ok(await getProject(caller, params.projectId)),
});

export const getLimits = route({
  summary: 'Get the limits of a project and how much of each is used.',
  caller: personOrKey('project.read', 'read'),
  params: ['projectId'],
  response: { status: 200, schema: ProjectLimits },
  handler: async ({ caller, params }) => ok(await listProjectLimits(caller, params.projectId)),
});

export const update = route({
  summary: 'Rename a project, or change its portal.',
  caller: person('project.manage'),
  params: ['projectId'],
  body: UpdateProjectBody,
  errors: ['rate_limited', 'overloaded'],
  response: { status: 200, schema: Project },
  handler: async ({ caller, params, body }) => ok(await updateProjectSettings(caller, params.projectId, body)),
});

export const remove = route({
  summary: 'Delete a project with all its data, immediately and permanently.',
  caller: person('project.manage'),
  params: ['projectId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await deleteProject(caller, params.projectId, systemClock());
    return noContent();
  },
});
