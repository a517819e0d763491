import { CHANGE_KINDS, type ChangeKind } from '@/lib/changes/types';

/** A proxy that holds the stream back sends nothing by then. */
const READY_MS = 4_000;
/** The server sends something every 15 s. */
const SILENCE_MS = 40_000;
/** A stream that ends earlier counts as a failure, since reconnecting at once would flood the server. */
const SHORT_MS = 5_000;
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * `connecting` until the first answer, `live` while hints arrive, `polling` while the stream cannot be had, `offline` while
 * the browser has no network.
 */
export type StreamState = 'connecting' | 'live' | 'polling' | 'offline';

/** What the stream needs of its browser. */
interface StreamEnvironment {
  /** Opens the stream. @throws an error, with `retryAfterSeconds` if the server says so */
  open(projectId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  isOnline(): boolean;
  isVisible(): boolean;
  /** Calls `listener` when one of the two may have changed. Returns a function that stops it. */
  onActivity(listener: () => void): () => void;
}

type Listener = (kinds: readonly ChangeKind[]) => void;

/**
 * Follows the changes of one project: reconnects when a stream ends, waits longer after each failure, and closes its stream
 * while the tab is hidden or the browser is offline.
 */
export class ProjectStream {
  #state: StreamState = 'connecting';
  readonly #stateListeners = new Set<() => void>();
  readonly #listeners = new Set<Listener>();
  readonly #stopped = new AbortController();
  /** Aborts the present connection or wait. */
  #step = new AbortController();
  #wasReady = false;

  constructor(
    private readonly projectId: string,
    private readonly environment: StreamEnvironment,
  ) {
    const stopListening = environment.onActivity(() => {
      if (!environment.isOnline()) this.#setState('offline');
      this.#step.abort();
    });
    this.#stopped.signal.addEventListener('abort', stopListening);
    void this.#run();
  }

  readonly getState = (): StreamState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  /** Calls the listener with the kinds that changed, and with all kinds after a gap. Returns a function that stops it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    this.#stopped.abort();
    this.#step.abort();
  }

  async #run(): Promise<void> {
    const { environment } = this;
    let failures = 0;
    while (!this.#stopped.signal.aborted) {
      this.#step = new AbortController();
      if (!environment.isOnline() || !environment.isVisible()) {
        if (!environment.isOnline()) this.#setState('offline');
        await sleep(Number.POSITIVE_INFINITY, this.#step.signal);
        failures = 0;
        continue;
      }
      const { lastedMs, retryAfterMs } = await this.#connect(this.#step.signal);
      if (this.#step.signal.aborted) continue;
      if (lastedMs > SHORT_MS) {
        failures = 0;
        continue;
      }
      this.#setState('polling');
      const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures) * (0.75 + Math.random() / 2);
      failures += 1;
      await sleep(Math.max(backoffMs, retryAfterMs), this.#step.signal);
    }
  }

  /** Follows one stream until it ends. Returns how long it was ready: 0 when it never was. */
  async #connect(stepSignal: AbortSignal): Promise<{ lastedMs: number; retryAfterMs: number }> {
    const connection = new AbortController();
    const abort = () => connection.abort();
    stepSignal.addEventListener('abort', abort);
    let readyAt: number | null = null;
    let deadline = setTimeout(abort, READY_MS);
    const lasted = () => (readyAt === null ? 0 : performance.now() - readyAt);
    try {
      const body = await this.environment.open(this.projectId, connection.signal);
      await readEvents(body, {
        onBytes: () => {
          if (readyAt === null) return;
          clearTimeout(deadline);
          deadline = setTimeout(abort, SILENCE_MS);
        },
        onEvent: ({ type, data }) => {
          if (type === 'ready') {
            clearTimeout(deadline);
            deadline = setTimeout(abort, SILENCE_MS);
            readyAt ??= performance.now();
            this.#becomeReady();
          }
          if (type === 'change') this.#tell(readKinds(data));
        },
      });
      return { lastedMs: lasted(), retryAfterMs: 0 };
    } catch (error) {
      return { lastedMs: lasted(), retryAfterMs: retryAfterMsOf(error) };
    } finally {
      clearTimeout(deadline);
      stepSignal.removeEventListener('abort', abort);
      connection.abort();
    }
  }

  #becomeReady(): void {
    this.#setState('live');
    // What changed between two streams is not known.
    if (this.#wasReady) this.#tell(CHANGE_KINDS);
    this.#wasReady = true;
  }

  #tell(kinds: readonly ChangeKind[]): void {
    for (const listener of this.#listeners) listener(kinds);
  }

  #setState(state: StreamState): void {
    if (this.#state === state || this.#stopped.signal.aborted) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }
}

/** Another version of the server may know more kinds. */
function readKinds(data: string): ChangeKind[] {
  const { kinds } = JSON.parse(data) as { kinds?: unknown };
  return Array.isArray(kinds) ? CHANGE_KINDS.filter((kind) => kinds.includes(kind)) : [];
}

function retryAfterMsOf(error: unknown): number {
  const { retryAfterSeconds } = (error ?? {}) as { retryAfterSeconds?: number | null };
  return (retryAfterSeconds ?? 0) * 1000;
}

/** Resolves after the time, or when the signal aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** One server-sent event. */
export interface StreamEvent {
  type: string;
  data: string;
}

/** The stream sends less than a hundred; more without the end of an event is not this stream. */
const MAX_EVENT_CHARS = 4096;

/**
 * Reads server-sent events until the stream ends. EventSource cannot do this: it sends no Authorization header.
 *
 * @param onBytes called for everything that arrives, also comments
 * @throws when the connection breaks, or when an event is too long
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  { onEvent, onBytes }: { onEvent: (event: StreamEvent) => void; onBytes: () => void },
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    if (rest.length > MAX_EVENT_CHARS) throw new Error('an event is too long');
    for (const part of parts) {
      const event = parseEvent(part);
      if (event !== null) onEvent(event);
    }
  }
}

/** Returns null for a comment. */
function parseEvent(text: string): StreamEvent | null {
  const event: StreamEvent = { type: 'message', data: '' };
  let isEmpty = true;
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^(event|data): ?(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    isEmpty = false;
    if (name === 'event') event.type = value;
    else event.data += value;
  }
  return isEmpty ? null : event;
}
