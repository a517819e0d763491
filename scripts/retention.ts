import { HOUR_MS, systemClock } from '@/lib/platform/clock';
import { loadConfigOrExit, REQUIRED_OF_A_PART } from '@/lib/platform/config/config';
import { closeDatabase } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { onStop, reportReady } from '@/lib/platform/process';
import { createPartitionsAhead } from '@/lib/retention/create-partitions';

// The retention process: at its start and every hour it makes the partitions of the days ahead.

const config = loadConfigOrExit(REQUIRED_OF_A_PART);

async function maintainPartitions(): Promise<void> {
  if (!config.PARTITION_MAINTENANCE_ENABLED) return;
  const created = await createPartitionsAhead(systemClock());
  if (created > 0) log().info({ created }, 'made partitions ahead');
}

let running = maintainPartitions();
await running;
const timer = setInterval(() => {
  running = maintainPartitions().catch((error: unknown) => {
    log().error({ err: error }, 'could not make partitions; trying again in an hour');
  });
}, HOUR_MS);

reportReady();
onStop(async () => {
  clearInterval(timer);
  await running;
  await closeDatabase();
});
