import { CliError } from '@/lib/cli/cli-error';
import { findTunnel } from '@/lib/cli/commands/tunnels/find-tunnel';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import type { Tunnel } from '@/lib/tunnel/schema';

/**
 * Finds the tunnel with an ID or name; without one the tunnel of this machine, which has its name and is created if missing.
 * @throws CliError when no tunnel has the ID or name, or several have the name
 */
export async function chooseTunnel(context: Context, projectId: string, given: string | undefined): Promise<Tunnel> {
  const { client, signal, terminal, out } = context;
  const options = { projectId, signal };
  if (given !== undefined) return await findTunnel(context, given);
  const name = terminal.hostName.slice(0, 100) || 'eds';
  for await (const each of client.tunnels.list({ limit: 100 }, options)) if (each.name === name) return each;
  const created = await client.tunnels.create({ name }, options);
  out.note(`Created the tunnel ${name} for this machine.`);
  return created;
}

/** Refuses a tunnel whose password keeps the service's own deliveries out. @throws CliError */
export function refusePassword({ name, id, basicAuth }: Tunnel): void {
  if (basicAuth === null) return;
  throw new CliError({
    message: `The tunnel ${name} requires a password, which deliveries don’t send.`,
    code: 'tunnel_has_password',
    exitCode: EXIT.failure,
    next: `Use another tunnel with --tunnel, or remove the password in the dashboard (tunnel ${id}).`,
  });
}
