import type { Context } from '@/lib/cli/context';
import type { ProjectOptions } from '@/lib/client';

/** Returns the options of a call in the project of the command. @throws CliError when no project is chosen */
export async function projectOptions(context: Context): Promise<ProjectOptions & { projectId: string }> {
  return { projectId: await context.projectId(), signal: context.signal };
}
