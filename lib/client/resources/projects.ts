import type { Api } from '@/lib/client/api';
import type { ListRequest } from '@/lib/client/list-request';
import type { CallOptions } from '@/lib/client/options';
import type { Body, Query } from '@/lib/client/query';
import type { CreateProjectBody, ListedProject, Project, UpdateProjectBody } from '@/lib/orgs/schema';
import type { PageQuery } from '@/lib/platform/pagination';
import type { ProjectLimits } from '@/lib/usage/schema';

const ALL = '/api/v1/orgs/{orgId}/projects';
const ONE = '/api/v1/projects/{projectId}';

/** The methods of `client.projects`. */
export function projects(api: Api) {
  return {
    /** Lists the projects of an organization. */
    list: (orgId: string, query?: Query<typeof PageQuery>, options?: CallOptions): ListRequest<ListedProject> =>
      api.list(ALL, { ids: { orgId }, query }, options),
    /** Creates a project. */
    create: (orgId: string, body: Body<typeof CreateProjectBody>, options?: CallOptions): Promise<Project> =>
      api.call('POST', ALL, { ids: { orgId }, body }, options),
    /** Gets a project. */
    get: (projectId: string, options?: CallOptions): Promise<Project> =>
      api.call('GET', ONE, { ids: { projectId } }, options),
    /** Gets the limits of a project and how much of each is used. */
    getLimits: (projectId: string, options?: CallOptions): Promise<ProjectLimits> =>
      api.call('GET', `${ONE}/limits`, { ids: { projectId } }, options),
    /** Changes a project. */
    update: (projectId: string, body: Body<typeof UpdateProjectBody>, options?: CallOptions): Promise<Project> =>
      api.call('PATCH', ONE, { ids: { projectId }, body }, options),
    /** Deletes a project with all its data. */
    remove: (projectId: string, options?: CallOptions): Promise<void> =>
      api.run('DELETE', ONE, { ids: { projectId } }, options),
  };
}
