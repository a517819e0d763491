import { changeProfile } from '@/lib/cli/config/change-profile';
import { Context } from '@/lib/cli/context';
import { command } from '@/lib/cli/spec';

export const useProject = command({
  name: 'use',
  summary: 'Set the default project.',
  args: { project: { description: 'ID or name of the project' } },
  examples: [{ line: 'projects use "My shop"', does: 'Switch to a project by name.' }],
  run: async (context, { args }) => {
    const { terminal, globals, signal } = context;
    const chosen = new Context(terminal, { ...globals, project: args.project }, signal);
    const project = await context.client.projects.get(await chosen.projectId(), { signal });
    await changeProfile(context, { projectId: project.id });
    context.out.done(project, `Commands now use the project ${project.name}.`);
  },
});
