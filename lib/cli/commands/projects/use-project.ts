import { changeProfile } from '@/lib/cli/config/change-profile';
import { Context } from '@/lib/cli/context';
import { command } from '@/lib/cli/spec';

export const useProject = command({
  name: 'use',
  summary: 'Choose the project that commands use when they name none.',
  args: { project: { description: 'ID or name of the project' } },
  examples: [{ line: 'projects use "My shop"', does: 'Use a project by its name.' }],
  run: async (context, { args }) => {
    const { terminal, globals, signal } = context;
    const chosen = new Context(terminal, { ...globals, project: args.project }, signal);
    const project = await context.client.projects.get(await chosen.projectId(), { signal });
    await changeProfile(context, { projectId: project.id });
    context.out.done(project, `Commands use the project ${project.name} now.`);
  },
});
