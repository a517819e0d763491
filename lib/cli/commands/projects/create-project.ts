import { changeProfile } from '@/lib/cli/config/change-profile';
import { flag } from '@/lib/cli/options';
import { command } from '@/lib/cli/spec';

export const createProject = command({
  name: 'create',
  summary: 'Create a project.',
  args: { name: { description: 'name of the project' } },
  options: { use: flag('--use', 'make it the default project') },
  examples: [{ line: 'projects create "My shop" --use', does: 'Create a project and use it.' }],
  run: async (context, { args, options }) => {
    const organizationId = await context.organizationId();
    const project = await context.client.projects.create(
      organizationId,
      { name: args.name },
      { signal: context.signal },
    );
    if (options.use) await changeProfile(context, { projectId: project.id });
    context.out.done(project, `Created the project ${project.name} (${project.id}).`);
  },
});
