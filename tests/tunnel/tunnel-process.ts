import type { AddressInfo } from 'node:net';
import { abortLongTasks, settleBackground } from '@/lib/platform/background';
import { watchCells } from '@/lib/platform/cells/watch-cells';
import { SECOND_MS } from '@/lib/platform/clock';
import { loadConfigOrExit } from '@/lib/platform/config/config';
import { closeDatabase } from '@/lib/platform/db';
import { onStop, reportReady } from '@/lib/platform/process';
import { startTunnelServer } from './start-tunnel-server';

// A web process without pages, for tests of several processes and of kills.

const { PORT, STOP_DELAY_SECONDS } = loadConfigOrExit([]);
const stopWatchingCells = await watchCells();
const started = await startTunnelServer({}, PORT);
onStop(
  async () => {
    stopWatchingCells();
    abortLongTasks();
    await started.stop();
    await settleBackground();
    await closeDatabase();
  },
  { delayMs: STOP_DELAY_SECONDS * SECOND_MS },
);
// After the handlers of signals: a test may stop it at once.
reportReady({ port: (started.server.address() as AddressInfo).port });
