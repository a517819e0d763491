import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import type { Tunnel, UpdateTunnelBody } from '@/lib/tunnel/schema';
import { accessColumns } from './access-columns';
import { changeTunnelRow, getTunnelRow, withOnline } from './queries';
import { testColumns } from './test-columns';

/** Changes the given fields of a tunnel. Its client stays connected. @throws AppError not_found */
export async function updateTunnel(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  tunnelId: string,
  body: UpdateTunnelBody,
): Promise<Tunnel> {
  return inTransaction(async (tx) => {
    const fields = Object.keys(body);
    if (fields.length === 0) return withOnline(await getTunnelRow(tx.prisma, projectId, tunnelId), tx);
    const row = await changeTunnelRow(tx.prisma, projectId, tunnelId, {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...accessColumns(tunnelId, body),
      ...testColumns(body),
    });
    await recordAudit(tx, caller, {
      action: 'tunnel.updated',
      organizationId: caller.organizationId,
      target: { type: 'tunnel', id: tunnelId },
      details: { projectId, fields },
    });
    return withOnline(row, tx);
  });
}
