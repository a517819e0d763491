import { setTimeout as sleep } from 'node:timers/promises';
import { runLongTask } from '@/lib/platform/background';
import { MINUTE_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { noteFormerSignIn } from '@/lib/platform/familiar-networks';
import { log } from '@/lib/platform/log';
import { clientSite } from '@/lib/platform/net/client-network';
import { Yielder } from '@/lib/platform/yielder';
import { listNewestAddresses } from './sessions-sql';

/** The last sessions whose networks a process knows. */
const MAX_SESSIONS = 10_000;
/** To read an IPv6 address takes about 10 µs. */
const ADDRESSES_PER_TURN = 100;

/** Notes the networks of the last sessions, which other processes may have opened. */
export async function readFamiliarNetworks(): Promise<void> {
  const rows = await listNewestAddresses.all(database(), { most: MAX_SESSIONS });
  const yielder = new Yielder(ADDRESSES_PER_TURN);
  for (const { ip_address: address } of rows) {
    noteFormerSignIn(clientSite(address));
    if (yielder.shouldYield()) await yielder.yield();
  }
}

/** Reads them every minute until the process stops. Never throws. */
export function watchFamiliarNetworks(): void {
  void runLongTask(async (signal) => {
    while (!signal.aborted) {
      await readFamiliarNetworks().catch((error: unknown) =>
        log().debug({ err: error }, 'could not read the networks of sign-ins; trying again'),
      );
      await sleep(MINUTE_MS, undefined, { signal }).catch(() => undefined);
    }
  });
}
