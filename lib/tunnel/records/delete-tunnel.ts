import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import { database } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { sendTunnelSignal } from '@/lib/tunnel/relay/connections-sql';
import { getTunnelRow } from './queries';

/**
 * Deletes a tunnel: its URL stops working, its log becomes unreadable, and its client is disconnected. Retention removes the
 * rows of the log later.
 * @throws AppError not_found
 */
export async function deleteTunnel(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  tunnelId: string,
): Promise<void> {
  await inTransaction(async (tx) => {
    const { name } = await getTunnelRow(tx.prisma, projectId, tunnelId);
    const { count } = await tx.prisma.tunnel.deleteMany({ where: { id: tunnelId, projectId } });
    if (count === 0) throw notFound('tunnel');
    await recordAudit(tx, caller, {
      action: 'tunnel.deleted',
      organizationId: caller.organizationId,
      target: { type: 'tunnel', id: tunnelId },
      details: { projectId, targetName: name },
    });
  });
  // If this signal is lost, the connection is closed at its next heartbeat, because it has no row.
  await closeTunnelConnection(tunnelId).catch((error: unknown) =>
    log().warn({ err: error, tunnelId }, 'client of a deleted tunnel could not be notified'),
  );
}

/** Tells the web process that holds a deleted tunnel's client to disconnect it. */
async function closeTunnelConnection(tunnelId: string): Promise<void> {
  await sendTunnelSignal.run(database(), JSON.stringify({ type: 'closed', tunnelId }));
}
