import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

/** Bytes of all bodies that this process is reading. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A body that is being read. */
interface Body {
  network: string;
  bytes: number;
  end(error: AppError): void;
}

/**
 * Bounds the memory of bodies that clients have begun to send. When it is full, the network with the most bytes loses its oldest body: one
 * that is sent slowly, since a body arrives in milliseconds otherwise.
 */
export class UnfinishedBodies {
  private total = 0;
  /** Oldest first. */
  private readonly bodies = new Set<Body>();

  constructor(private readonly maxBytes = MAX_BYTES) {}

  get bytes(): number {
    return this.total;
  }

  /**
   * Counts a body.
   * @param network of the client, as clientNetwork returns it
   * @param end ends it when its memory is needed
   * @returns functions that add bytes, and that end the counting
   */
  enter(network: string, end: (error: AppError) => void): { add(bytes: number): void; leave(): void } {
    const body = { network, bytes: 0, end };
    this.bodies.add(body);
    return {
      add: (bytes) => {
        if (!this.bodies.has(body)) return;
        body.bytes += bytes;
        this.total += bytes;
        while (this.total > this.maxBytes) this.makeRoom();
      },
      leave: () => this.leave(body),
    };
  }

  private makeRoom(): void {
    const bytesOf = new Map<string, number>();
    for (const { network, bytes } of this.bodies) bytesOf.set(network, (bytesOf.get(network) ?? 0) + bytes);
    const [heaviest] = [...bytesOf].sort(([, a], [, b]) => b - a)[0] ?? [];
    for (const body of this.bodies) {
      if (body.network !== heaviest || body.bytes === 0) continue;
      this.leave(body);
      const detail = 'Too many bodies are being sent at once. Send it again.';
      body.end(new AppError('overloaded', detail, { retryAfterSeconds: 2, headers: { Connection: 'close' } }));
      return;
    }
  }

  private leave(body: Body): void {
    if (!this.bodies.delete(body)) return;
    this.total -= body.bytes;
  }
}

export const unfinishedBodies = () => once('unfinished-bodies', () => new UnfinishedBodies());
