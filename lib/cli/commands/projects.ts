import { changeProfile } from '@/lib/cli/config/settings';
import { Context } from '@/lib/cli/context';
import { flag, yes } from '@/lib/cli/options';
import { command, type GroupSpec } from '@/lib/cli/spec';
import type { Project } from '@/lib/orgs/schema';
import { listCommand } from './resource';

const PROJECT = { project: { description: 'ID or name of the project' } };

const listProjects = listCommand({
  summary: 'List the projects of the organization.',
  within: 'organization',
  columns: [
    { header: 'ID', value: ({ id }) => id, kind: 'id' },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'CREATED', value: ({ createdAt }) => createdAt, kind: 'time' },
  ],
  empty: 'No projects yet. Create one: eds projects create <name>',
  examples: [{ line: 'projects list', does: 'List the current organization’s projects.' }],
  rows: ({ client }, { page, call, organizationId }) => client.projects.list(organizationId, page, call),
});

const useProject = command({
  name: 'use',
  summary: 'Set the default project.',
  args: PROJECT,
  examples: [{ line: 'projects use "My shop"', does: 'Switch to a project by name.' }],
  run: async (context, { args }) => {
    const project = await findProject(context, args.project);
    await changeProfile(context, { projectId: project.id });
    context.out.done(project, `Commands now use the project ${project.name}.`);
  },
});

async function findProject({ terminal, globals, signal, client }: Context, given: string): Promise<Project> {
  const chosen = new Context(terminal, { ...globals, project: given }, signal);
  return await client.projects.get(await chosen.projectId(), { signal });
}

const createProject = command({
  name: 'create',
  summary: 'Create a project.',
  args: { name: { description: 'name of the project' } },
  options: { use: flag('--use', 'make it the default project') },
  examples: [{ line: 'projects create "My shop" --use', does: 'Create a project and use it.' }],
  run: async (context, { args: { name }, options }) => {
    const { client, signal } = context;
    const project = await client.projects.create(await context.organizationId(), { name }, { signal });
    if (options.use) await changeProfile(context, { projectId: project.id });
    context.out.done(project, `Created the project ${project.name} (${project.id}).`);
  },
});

const deleteProject = command({
  name: 'delete',
  summary: 'Delete a project and all its data.',
  args: PROJECT,
  options: { yes },
  examples: [{ line: 'projects delete "Old shop" --yes', does: 'Delete a project without confirmation.' }],
  run: async (context, { args, options }) => {
    const { client, signal, profile } = context;
    const { id, name } = await findProject(context, args.project);
    await context.confirm(`Delete the project ${name} with its events, endpoints and keys?`, options.yes);
    await client.projects.remove(id, { signal });
    if (profile.projectId === id) await changeProfile(context, { projectId: undefined });
    context.out.done({ id, deleted: true }, `Deleted the project ${name}.`);
  },
});

export const projects: GroupSpec = {
  name: 'projects',
  summary: 'Create, switch and delete projects.',
  commands: [listProjects, useProject, createProject, deleteProject],
};
