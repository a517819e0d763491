import { CliError } from '@/lib/cli/cli-error';
import { pollUntil } from '@/lib/cli/concurrency/poll-until';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import { Progress } from '@/lib/cli/output/progress';
import type { ProjectOptions } from '@/lib/client';
import type { EventDetail } from '@/lib/delivery/schema';
import { type EventText, getEventText } from './event-text';
import { senderOf } from './sender';
import { showEvent } from './show-event';

export interface OneEvent {
  type: string;
  data: object;
  idempotencyKey: string | undefined;
  /** How long to wait for its deliveries; undefined does not wait. */
  waitMs: number | undefined;
}

/** Sends an event, and waits until its deliveries have ended. @throws CliError when one failed or has not ended in time */
export async function sendOne(context: Context, { type, data, idempotencyKey, waitMs }: OneEvent): Promise<void> {
  const { out, signal, terminal } = context;
  const send = await senderOf(context);
  const sent = await send({ type, data }, { signal, ...(idempotencyKey !== undefined && { idempotencyKey }) });
  if (waitMs === undefined) {
    if (!out.isJson && !terminal.stdout.isTTY) return out.value(sent, sent.id);
    out.done(sent, `Sent ${sent.type} (${sent.id}).`);
    return out.hint(`See its deliveries: eds events get ${sent.id}`);
  }
  const project = { projectId: await context.projectId(), signal };
  const found = await waitForDeliveries(context, project, { id: sent.id, waitMs });
  await showEvent(context, project, found, false);
  refuseUnlessDelivered(found.event);
}

async function waitForDeliveries(
  context: Context,
  project: ProjectOptions,
  { id, waitMs }: { id: string; waitMs: number },
): Promise<EventText> {
  const { terminal, signal } = context;
  const progress = new Progress(terminal);
  const ask = async (signal: AbortSignal) => {
    const found = await getEventText(context, id, { ...project, signal });
    const { event } = found;
    const ended = event.deliveries.filter(({ status }) => status !== 'PENDING').length;
    const known = event.fanOutStatus === 'PENDING' ? 'the deliveries' : `${event.deliveries.length} deliveries`;
    progress.show(`Waiting for ${known}: ${ended} finished…`);
    return found;
  };
  return await pollUntil(ask, ({ event }) => hasEnded(event), { timeoutMs: waitMs, signal }).finally(() =>
    progress.clear(),
  );
}

function hasEnded({ fanOutStatus, deliveries }: EventDetail): boolean {
  return fanOutStatus !== 'PENDING' && deliveries.every(({ status }) => status !== 'PENDING');
}

function refuseUnlessDelivered(event: EventDetail): void {
  const { id, deliveries, fanOutStatus } = event;
  const failed = deliveries.filter(({ status }) => status === 'FAILED').length;
  const next = `eds events get ${id}`;
  const fault = (message: string, code: string) => new CliError({ message, code, exitCode: EXIT.failure, next });
  if (fanOutStatus === 'DEAD') throw fault('We couldn’t create the deliveries.', 'delivery_failed');
  if (!hasEnded(event)) throw fault('The deliveries didn’t finish in time.', 'timeout');
  if (failed > 0) throw fault(`${failed} of ${deliveries.length} deliveries failed.`, 'delivery_failed');
}
