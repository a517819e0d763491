/** A browser opens six connections to a server over HTTP/1.1. Streams of several windows must not use them up. */
const SLOTS = 3;

/** The part of the Web Locks API that a slot needs. */
export interface SlotLocks {
  request(
    name: string,
    options: { ifAvailable: true },
    hold: (lock: unknown) => Promise<void> | undefined,
  ): Promise<unknown>;
}

/**
 * Takes one of the streams that a browser may have open, over all its windows, until `signal` aborts.
 * @param locks undefined in a browser without Web Locks, such as over plain HTTP: then nothing is bounded
 * @throws Error when all are taken
 */
export async function takeStreamSlot(locks: SlotLocks | undefined, signal: AbortSignal): Promise<void> {
  if (locks === undefined) return;
  for (let slot = 0; slot < SLOTS; slot++) {
    if (await takeLock(locks, `eds-changes-${slot}`, signal)) return;
  }
  throw new Error('Other windows of this browser have all streams.');
}

function takeLock(locks: SlotLocks, name: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const hold = (lock: unknown) => {
      resolve(lock !== null);
      if (lock === null || signal.aborted) return undefined;
      return new Promise<void>((release) => signal.addEventListener('abort', () => release(), { once: true }));
    };
    locks.request(name, { ifAvailable: true }, hold).catch(reject);
  });
}
