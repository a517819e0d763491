import { randomInt } from 'node:crypto';
import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { lockProject } from '@/lib/orgs/lock-project';
import { newId } from '@/lib/platform/ids';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import type { CreateTunnelBody, Tunnel } from '@/lib/tunnel/schema';
import { presentTunnel } from './queries';
import { accessColumns, makeTunnelToken, testColumns } from './tunnel-columns';

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

const COLORS = ['amber', 'azure', 'coral', 'golden', 'ivory', 'jade', 'olive', 'scarlet', 'silver', 'violet'] as const;
const ANIMALS = ['badger', 'falcon', 'heron', 'lynx', 'marten', 'otter', 'puffin', 'robin', 'stoat', 'wren'] as const;

/** Returns a default name for a tunnel, such as `amber-otter`. Names may repeat. */
export function makeDefaultName(): string {
  return `${COLORS[randomInt(COLORS.length)]}-${ANIMALS[randomInt(ANIMALS.length)]}`;
}
