import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import type { Tunnel, UpdateTunnelBody } from '@/lib/tunnel/schema';
import { changeTunnelRow, getTunnelRow, withOnline } from './queries';
import { accessColumns, makeTunnelToken, testColumns } from './tunnel-columns';

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

/** Gives a tunnel a new URL. The old one stops working at once; the client stays connected. @throws AppError not_found */
export async function rotateTunnelUrl(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  tunnelId: string,
): Promise<Tunnel> {
  return inTransaction(async (tx) => {
    const row = await changeTunnelRow(tx.prisma, projectId, tunnelId, makeTunnelToken());
    await recordAudit(tx, caller, {
      action: 'tunnel.url_rotated',
      organizationId: caller.organizationId,
      target: { type: 'tunnel', id: tunnelId },
      details: { projectId },
    });
    return withOnline(row, tx);
  });
}
