/** Runs one holder at a time over all tabs of this origin. `waited` tells that another held it meanwhile. */
export type RunExclusive = <T>(run: (waited: boolean) => Promise<T>) => Promise<T>;

/** What of `LockManager` is used. */
export interface Locks {
  request<T>(name: string, options: { ifAvailable?: boolean }, run: (lock: unknown) => Promise<T>): Promise<T>;
}

/** What of `BroadcastChannel` is used. */
export interface Channel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  removeEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

const LOCK_NAME = 'eds-refresh';

/** Exclusion by Web Locks: the browser frees the lock of a tab that dies. */
export function exclusiveByLocks(locks: Locks): RunExclusive {
  return async (run) => {
    let free = true;
    const outcome = await locks.request(LOCK_NAME, { ifAvailable: true }, async (lock) => {
      if (lock !== null) return { result: await run(false) };
      free = false;
      return null;
    });
    if (free && outcome !== null) return outcome.result;
    return locks.request(LOCK_NAME, {}, () => run(true));
  };
}

/** Long enough for another tab to answer, short enough not to be felt. */
const CLAIM_MS = 60;
/** A tab that died while it held the claim blocks nobody for longer. */
const HELD_MS = 5000;

interface ClaimMessage {
  kind: 'claim' | 'held' | 'freed';
  /** Random; of two claims at once the smaller goes first. */
  claim: number;
}

function isClaimMessage(data: unknown): data is ClaimMessage {
  return typeof data === 'object' && data !== null && 'claim' in data && typeof data.claim === 'number';
}

/**
 * Exclusion by BroadcastChannel, where Web Locks are absent (plain http): claim, wait for a contrary claim, go.
 *
 * Two tabs can still pass it together when one is very slow; the server then refuses one of them with
 * `refresh_superseded`, which the coordinator mends.
 */
export function exclusiveByChannel(channel: Channel, random: () => number = Math.random): RunExclusive {
  return async (run) => {
    const claim = random();
    let holding = false;
    const answer = (event: { data: unknown }) => {
      if (!isClaimMessage(event.data) || event.data.kind !== 'claim') return;
      if (holding || claim < event.data.claim) channel.postMessage({ kind: 'held', claim });
    };
    channel.addEventListener('message', answer);
    try {
      const waited = await awaitTurn(channel, claim);
      holding = true;
      return await run(waited);
    } finally {
      channel.removeEventListener('message', answer);
      channel.postMessage({ kind: 'freed', claim });
    }
  };
}

async function awaitTurn(channel: Channel, claim: number): Promise<boolean> {
  let waited = false;
  for (;;) {
    const held = await waitForMessage(channel, 'held', CLAIM_MS, () => channel.postMessage({ kind: 'claim', claim }));
    if (!held) return waited;
    waited = true;
    const freed = await waitForMessage(channel, 'freed', HELD_MS);
    if (!freed) return waited;
  }
}

function waitForMessage(
  channel: Channel,
  kind: ClaimMessage['kind'],
  timeoutMs: number,
  start?: () => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (heard: boolean) => {
      clearTimeout(timer);
      channel.removeEventListener('message', listen);
      resolve(heard);
    };
    const listen = (event: { data: unknown }) => {
      if (isClaimMessage(event.data) && event.data.kind === kind) finish(true);
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    channel.addEventListener('message', listen);
    start?.();
  });
}
