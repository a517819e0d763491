import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

/** Bytes of all bodies that this process is reading, or that wait to be parsed. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A body that is being read, or waits to be parsed. */
interface Body {
  bytes: number;
  end(error: AppError): void;
}

/** The bodies of the clients of a network, oldest first. */
interface Network {
  bytes: number;
  bodies: Set<Body>;
}

/**
 * Bounds the memory of bodies that clients have begun to send. When it is full, the network with the most bytes loses its oldest body: one
 * that is sent slowly, since a body arrives in milliseconds otherwise.
 */
export class UnfinishedBodies {
  private total = 0;
  private readonly networks = new Map<string, Network>();

  constructor(private readonly maxBytes = MAX_BYTES) {}

  get bytes(): number {
    return this.total;
  }

  /**
   * Counts a body.
   * @param network of the client, as clientSite returns it
   * @param end ends it when its memory is needed
   * @returns functions that add bytes, and that end the counting
   */
  enter(network: string, end: (error: AppError) => void): { add(bytes: number): void; leave(): void } {
    const body = { bytes: 0, end };
    const own = this.networks.get(network) ?? { bytes: 0, bodies: new Set() };
    this.networks.set(network, own);
    own.bodies.add(body);
    return {
      add: (bytes) => {
        if (!own.bodies.has(body)) return;
        body.bytes += bytes;
        own.bytes += bytes;
        this.total += bytes;
        while (this.total > this.maxBytes) this.makeRoom();
      },
      leave: () => this.leave(network, own, body),
    };
  }

  private makeRoom(): void {
    const [name, heaviest] = [...this.networks].reduce((a, b) => (b[1].bytes > a[1].bytes ? b : a));
    for (const body of heaviest.bodies) {
      if (body.bytes === 0) continue;
      const { end } = body;
      this.leave(name, heaviest, body);
      const detail = 'Too many bodies are being sent at once. Send it again.';
      end(new AppError('overloaded', detail, { retryAfterSeconds: 2, headers: { Connection: 'close' } }));
      return;
    }
  }

  private leave(name: string, network: Network, body: Body): void {
    if (!network.bodies.delete(body)) return;
    // What is deleted from a Set may live until the next full collection of garbage: it must not keep the request.
    body.end = () => undefined;
    network.bytes -= body.bytes;
    this.total -= body.bytes;
    if (network.bodies.size === 0) this.networks.delete(name);
  }
}

export const unfinishedBodies = () => once('unfinished-bodies', () => new UnfinishedBodies());
