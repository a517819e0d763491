import { SECOND_MS } from '@/lib/platform/clock';
import type { OpenAccess, WhileAllowed } from '@/lib/platform/open-connections';
import { type ChangeWatch, changeWatch } from './change-watch';
import { type StreamCounts, type StreamPlace, streamCounts } from './stream-counts';
import type { ChangeKind } from './types';

interface ChangeStreamOptions extends StreamPlace {
  /** The stream ends after this time. */
  lifeMs: number;
  /** The stream ends when its caller loses access. */
  whileAllowed: WhileAllowed;
}

interface Parts {
  watch: ChangeWatch;
  counts: StreamCounts;
  /** Proxies close a connection that is silent for half a minute. */
  heartbeatMs: number;
}

/**
 * Opens a stream of server-sent events that says which kinds of rows of a project changed, never what they contain: `ready`
 * once, then `change` with `{"kinds": [...]}`. A client that reads slowly gets fewer events, each with all kinds since the
 * one before: at most one event waits. It ends early when the process is full and another tenant has fewer streams.
 *
 * @throws AppError rate_limited when too many streams are open
 */
export function openChangeStream(options: ChangeStreamOptions, parts: Partial<Parts> = {}): ReadableStream<Uint8Array> {
  const defaults = { watch: changeWatch(), counts: streamCounts(), heartbeatMs: 15 * SECOND_MS };
  return new ReadableStream(new ChangeSource(options, { ...defaults, ...parts }));
}

const ENCODER = new TextEncoder();

class ChangeSource implements UnderlyingDefaultSource<Uint8Array> {
  readonly #kinds = new Set<ChangeKind>();
  #isReady = false;
  #isOver = false;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #timers: NodeJS.Timeout[] = [];
  #unwatch = () => {};
  #access: OpenAccess | null = null;
  readonly #uncount: () => void;

  constructor(
    private readonly options: ChangeStreamOptions,
    private readonly parts: Parts,
  ) {
    this.#uncount = parts.counts.add(options, () => this.#end());
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    const { watch, heartbeatMs } = this.parts;
    this.#timers = [
      setTimeout(() => this.#end(), this.options.lifeMs),
      setInterval(() => this.#hasRoom() && this.#send(':\n\n'), heartbeatMs),
    ];
    this.#access = this.options.whileAllowed(() => this.#end());
    this.#unwatch = watch.watch(this.options.projectId, {
      ready: () => {
        this.#isReady = true;
        this.pull();
      },
      changed: (kinds) => {
        for (const kind of kinds) this.#kinds.add(kind);
        this.pull();
      },
      end: () => this.#end(),
    });
  }

  /** Sends what waits, if the client has read what was sent before. */
  pull(): void {
    if (!this.#hasRoom()) return;
    const ready = this.#isReady ? 'event: ready\ndata: {}\n\n' : '';
    const kinds = [...this.#kinds];
    const change = kinds.length === 0 ? '' : `event: change\ndata: ${JSON.stringify({ kinds })}\n\n`;
    // Cleared first: sending calls this function again.
    this.#isReady = false;
    this.#kinds.clear();
    if (ready + change !== '') this.#send(ready + change);
  }

  cancel(): void {
    this.#finish();
  }

  #hasRoom(): boolean {
    return !this.#isOver && (this.#controller?.desiredSize ?? 0) > 0;
  }

  #send(text: string): void {
    this.#controller?.enqueue(ENCODER.encode(text));
  }

  #end(): void {
    if (this.#finish()) this.#controller?.close();
  }

  /** Releases everything. @returns false when it was released already */
  #finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#unwatch();
    this.#uncount();
    this.#access?.release();
    return true;
  }
}
