import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '@/lib/cli/cli-error';
import { DELIVERY_COLUMNS } from '@/lib/cli/commands/deliveries/delivery-state';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import { startProgress } from '@/lib/cli/output/progress';
import type { EventDetail } from '@/lib/delivery/schema';
import type { EventSummary } from '@/lib/events/schema';

const POLL_MS = 500;
/** A new event gets its deliveries within moments. */
const FAN_OUT_MS = 3_000;

/**
 * Waits until the deliveries of an event have ended, and shows them.
 * @throws CliError when one failed, or the time is over
 */
export async function waitForDeliveries(context: Context, event: EventSummary, timeoutMs: number): Promise<void> {
  const { out, terminal } = context;
  if (!out.isJson) out.note(`Sent ${event.type} (${event.id}).`);
  const progress = startProgress(terminal, () => 'Waiting for its deliveries…');
  const detail = await poll(context, event.id, timeoutMs).finally(() => progress.end());
  if (out.isJson) out.record(detail, []);
  else await out.list(rows(detail), DELIVERY_COLUMNS, { limit: undefined, empty: 'No endpoint gets this event.' });
  const failed = detail.deliveries.filter(({ status }) => status === 'FAILED').length;
  const pending = detail.deliveries.filter(({ status }) => status === 'PENDING').length;
  if (failed > 0) throw ended(`${failed} of ${detail.deliveries.length} deliveries failed.`, 'delivery_failed');
  if (pending > 0) throw ended(`${pending} of ${detail.deliveries.length} deliveries have not ended yet.`, 'timeout');
}

async function poll(context: Context, eventId: string, timeoutMs: number): Promise<EventDetail> {
  const project = await context.inProject();
  const startedAt = Date.now();
  for (;;) {
    const detail = await context.client.events.get(eventId, project);
    const waitedMs = Date.now() - startedAt;
    const isSettled =
      detail.deliveries.length === 0
        ? waitedMs > FAN_OUT_MS
        : detail.deliveries.every(({ status }) => status !== 'PENDING');
    if (isSettled || waitedMs > timeoutMs) return detail;
    await sleep(POLL_MS, undefined, { signal: context.signal });
  }
}

async function* rows({ deliveries }: EventDetail) {
  yield* deliveries;
}

function ended(message: string, code: string): CliError {
  return new CliError({ message, code, exitCode: EXIT.failure, next: 'eds deliveries get <id>' });
}
