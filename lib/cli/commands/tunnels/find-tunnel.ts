import type { Context } from '@/lib/cli/context';
import { findByName } from '@/lib/cli/session/find-by-name';
import { projectOptions } from '@/lib/cli/session/project-options';
import type { Tunnel } from '@/lib/tunnel/schema';

/** The argument that names a tunnel. */
export const TUNNEL = { description: 'ID or name of the tunnel' };

/** Returns the tunnel of the project with an id or a name. @throws CliError when there is none */
export async function findTunnel(context: Context, given: string): Promise<Tunnel> {
  const { tunnels } = context.client;
  const options = await projectOptions(context);
  return await findByName(given, {
    kind: 'tunnel',
    list: 'eds tunnels list',
    get: (id) => tunnels.get(id, options),
    all: () => tunnels.list({ limit: 100 }, options),
  });
}
