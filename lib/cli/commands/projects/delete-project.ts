import { changeProfile } from '@/lib/cli/config/change-profile';
import { Context } from '@/lib/cli/context';
import { yes } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';

export const deleteProject = command({
  name: 'delete',
  summary: 'Delete a project and all its data.',
  args: { project: { description: 'ID or name of the project' } },
  options: { yes },
  examples: [{ line: 'projects delete "Old shop" --yes', does: 'Delete a project without confirmation.' }],
  run: async (context, { args, options }) => {
    const { terminal, globals, signal, client, profile } = context;
    const chosen = new Context(terminal, { ...globals, project: args.project }, signal);
    const project = await client.projects.get(await chosen.projectId(), { signal });
    await context.confirm(`Delete the project ${project.name} with its events, endpoints and keys?`, options.yes);
    await client.projects.remove(project.id, { signal });
    if (profile.projectId === project.id) await changeProfile(context, { projectId: undefined });
    context.out.done({ id: project.id, deleted: true }, `Deleted the project ${project.name}.`);
  },
});
