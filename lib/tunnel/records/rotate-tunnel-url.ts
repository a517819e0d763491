import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import type { Tunnel } from '@/lib/tunnel/schema';
import { changeTunnelRow, withOnline } from './queries';
import { makeTunnelToken } from './tunnel-token';

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
