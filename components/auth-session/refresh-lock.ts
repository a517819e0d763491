/** Runs one holder at a time across all tabs of this origin. `waited` says whether another one held the lock. */
export type RunExclusive = <T>(run: (waited: boolean) => Promise<T>) => Promise<T>;

/** The part of `LockManager` that is used. */
export interface Locks {
  request<T>(name: string, options: { ifAvailable?: boolean }, run: (lock: unknown) => Promise<T>): Promise<T>;
}

/** The part of `BroadcastChannel` that is used. */
export interface Channel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  removeEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

const LOCK_NAME = 'eds-refresh';

/** Locks with Web Locks: the browser releases the lock of a tab that crashes. */
export function createWebLock(locks: Locks): RunExclusive {
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

/** Long enough for another tab to answer, short enough not to be noticed. */
const CLAIM_MS = 60;
/** After this time without a message the holder is asked again, since it may have crashed. */
const HELD_MS = 5000;

/** Claims are random numbers; the smaller of two goes first. `held` answers the claim `to`. */
type ClaimMessage =
  | { kind: 'claim'; claim: number }
  | { kind: 'held'; claim: number; to: number }
  | { kind: 'freed'; claim: number };

function isClaimMessage(data: unknown): data is ClaimMessage {
  return typeof data === 'object' && data !== null && 'claim' in data && typeof data.claim === 'number';
}

/**
 * Locks with BroadcastChannel where Web Locks are unavailable (plain http): sends a claim, waits for objections, runs.
 *
 * If one tab is very slow, two can run at once. The server then refuses one of them with `refresh_superseded`, which the
 * coordinator handles.
 */
export function createChannelLock(channel: Channel, random: () => number = Math.random): RunExclusive {
  // A channel does not receive its own messages, so calls of one tab are queued here.
  let last: Promise<unknown> = Promise.resolve();
  let queued = 0;
  return (run) => {
    const wasQueued = queued > 0;
    queued += 1;
    const turn = last.then(() => runClaimed(channel, random(), (waited) => run(waited || wasQueued)));
    last = turn
      .catch(() => undefined)
      .finally(() => {
        queued -= 1;
      });
    return turn;
  };
}

async function runClaimed<T>(channel: Channel, claim: number, run: (waited: boolean) => Promise<T>): Promise<T> {
  let holding = false;
  const answer = (event: { data: unknown }) => {
    if (!isClaimMessage(event.data) || event.data.kind !== 'claim') return;
    if (holding || claim < event.data.claim) channel.postMessage({ kind: 'held', claim, to: event.data.claim });
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
}

async function awaitTurn(channel: Channel, claim: number): Promise<boolean> {
  // A smaller claim that arrives meanwhile also goes first: its tab did not receive this one.
  const isRefusal = (message: ClaimMessage) =>
    (message.kind === 'held' && message.to === claim) || (message.kind === 'claim' && message.claim < claim);
  const isFreed = (message: ClaimMessage) => message.kind === 'freed';
  for (let waited = false; ; waited = true) {
    const refused = hearMessage(channel, isRefusal, CLAIM_MS);
    channel.postMessage({ kind: 'claim', claim });
    if (!(await refused)) return waited;
    await hearMessage(channel, isFreed, HELD_MS);
  }
}

/** Resolves to whether a matching message arrived in time. */
function hearMessage(channel: Channel, like: (message: ClaimMessage) => boolean, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (heard: boolean) => {
      clearTimeout(timer);
      channel.removeEventListener('message', listen);
      resolve(heard);
    };
    const listen = (event: { data: unknown }) => {
      if (isClaimMessage(event.data) && like(event.data)) finish(true);
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    channel.addEventListener('message', listen);
  });
}
