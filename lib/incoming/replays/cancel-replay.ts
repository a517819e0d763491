import type { KeyCaller, PersonCaller } from '@/lib/audit/caller';
import { recordAudit } from '@/lib/audit/record-audit';
import type { Replay } from '@/lib/incoming/schema';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { presentReplay } from './present-replay';
import { getReplayRow } from './queries';

/**
 * Cancels a running replay. The deliveries that it has queued are still sent. Does not change a finished replay.
 * @throws AppError not_found
 */
export async function cancelReplay(
  caller: PersonCaller | KeyCaller,
  projectId: string,
  replayId: string,
): Promise<Replay> {
  return inTransaction(async (tx) => {
    await getReplayRow(tx.prisma, projectId, replayId);
    const { count } = await tx.prisma.incomingEventReplay.updateMany({
      where: { id: replayId, projectId, status: 'RUNNING' },
      data: { status: 'CANCELED', completedAt: new Date() },
    });
    if (count > 0) {
      await recordAudit(tx, caller, {
        action: 'replay.canceled',
        organizationId: caller.organizationId,
        target: { type: 'replay', id: replayId },
        details: { projectId },
      });
    }
    return presentReplay(await getReplayRow(tx.prisma, projectId, replayId));
  });
}
