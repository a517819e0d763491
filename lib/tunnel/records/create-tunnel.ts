import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { lockProject } from '@/lib/orgs/lock-project';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import type { CreateTunnelBody, Tunnel } from '@/lib/tunnel/schema';
import { accessColumns } from './access-columns';
import { makeDefaultName } from './default-name';
import { presentTunnel } from './present-tunnel';
import { testColumns } from './test-columns';
import { makeTunnelToken } from './tunnel-token';

/** Creates a tunnel with a URL of its own. @throws AppError limit_reached; not_found when the project is deleted */
export async function createTunnel(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  body: CreateTunnelBody,
): Promise<Tunnel> {
  const id = newId();
  const name = body.name ?? makeDefaultName();
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    refuseBeyondLimit('PROJECT_MAX_TUNNELS', await tx.prisma.tunnel.count({ where: { projectId } }));
    const row = await tx.prisma.tunnel.create({
      data: { id, projectId, name, ...makeTunnelToken(), ...accessColumns(id, body), ...testColumns(body) },
    });
    await recordAudit(tx, caller, {
      action: 'tunnel.created',
      organizationId: caller.organizationId,
      target: { type: 'tunnel', id },
      details: { projectId, targetName: name },
    });
    return presentTunnel(row, false);
  });
}
