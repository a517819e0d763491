// The worker process: fans events out to deliveries, sends them, records the results, and sends the mails and alerts.
import { AlertWorker } from '@/lib/alerts/alert-worker';
import { continueBulkRetries } from '@/lib/delivery/bulk-retries/continue-bulk-retries';
import { closeDeliveryPools } from '@/lib/delivery/engine/send-once';
import { DeliveryWorker } from '@/lib/delivery/engine/worker';
import { continueEventReplays } from '@/lib/delivery/event-replays/continue-event-replays';
import { startHeartbeat } from '@/lib/delivery/workers/heartbeat';
import { continueReplays } from '@/lib/incoming/replays/continue-replays';
import { finishErasures } from '@/lib/lifecycle/finish-erasures';
import { watchCells } from '@/lib/platform/cells/watch-cells';
import { loadConfigOrExit } from '@/lib/platform/config/config';
import { REQUIRED_OF } from '@/lib/platform/config/parts';
import { sendWarningsToLog } from '@/lib/platform/console-to-log';
import { closeDatabase } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { sendSealedMail } from '@/lib/platform/mail/send-mail';
import { requireMigrations } from '@/lib/platform/migrate/require-migrations';
import { privateNetworkWarning } from '@/lib/platform/net/address-policy';
import { onStop, reportReady, STOP_DEADLINE_MS } from '@/lib/platform/process';
import { startProcessFigures } from '@/lib/platform/process-figures';
import { startTracing } from '@/lib/platform/tracing/start-tracing';
import { rollUpStats } from '@/lib/stats/roll-up';

/** Time reserved, out of the time to stop, for closing the connections. */
const CLOSING_MS = 500;

const config = loadConfigOrExit(REQUIRED_OF.worker);
sendWarningsToLog();
await requireMigrations();
const stopTracing = await startTracing('worker', process.env);
const warning = privateNetworkWarning(config);
if (warning !== null && !process.connected) log().warn(warning);
const worker = new DeliveryWorker({
  sendMail: sendSealedMail,
  finishErasures,
  continueReplays,
  continueBulkRetries,
  continueEventReplays,
  rollUpStats,
});
const stopWatching = await watchCells((cells) => worker.serve(cells));
await worker.start();
const alerts = new AlertWorker({ cells: () => worker.servedCells });
alerts.start();
const heartbeat = await startHeartbeat(() => worker.status());
const stopFigures = startProcessFigures('worker');
// Before it is ready: a supervisor may end it at once.
onStop(async () => {
  const stopMs = STOP_DEADLINE_MS - CLOSING_MS;
  stopWatching();
  await Promise.all([heartbeat.stop(), stopFigures(), alerts.stop(stopMs), worker.stop(stopMs)]);
  await Promise.all([stopTracing(), closeDeliveryPools().then(closeDatabase)]);
});
reportReady();
