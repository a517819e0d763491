import { FRAME_RATE } from '@/lib/tunnel/relay/limits';

/** What an owner's clients have left, in frames. It is negative while they wait. */
interface Account {
  left: number;
  updatedAt: number;
  connections: number;
}

/** What a frame costs its connection: how long it must not be read, or that it has to end. */
export type FrameCost = number | 'end';

/**
 * Bounds the frames and bytes a second that the clients of one owner send: each frame takes the thread of the process for some
 * microseconds, however small it is. Beyond it, their connections are not read for a while, so that TCP slows them down.
 */
export class FrameBudget {
  private readonly accounts = new Map<string, Account>();

  constructor(private readonly rate = FRAME_RATE) {}

  /** Counts a connection. @returns functions that count a frame, and that forget the connection */
  enter(ownerId: string): { count(bytes: number): FrameCost; leave(): void } {
    const { rate, accounts } = this;
    const account = accounts.get(ownerId) ?? { left: rate.atOnce, updatedAt: performance.now(), connections: 0 };
    accounts.set(ownerId, account);
    account.connections += 1;
    return {
      count: (bytes) => {
        const now = performance.now();
        const earned = ((now - account.updatedAt) / 1000) * rate.perSecond;
        account.updatedAt = now;
        account.left = Math.min(rate.atOnce, account.left + earned) - 1 - bytes / rate.bytesOfFrame;
        if (account.left >= 0) return 0;
        // What a paused connection has in its buffers still arrives.
        return account.left < -rate.mostOwed ? 'end' : (-account.left / rate.perSecond) * 1000;
      },
      leave: () => {
        account.connections -= 1;
        // A client that connects again does not start with a full account.
        const forget = () => account.connections === 0 && accounts.get(ownerId) === account && accounts.delete(ownerId);
        setTimeout(forget, ((rate.atOnce - account.left) / rate.perSecond) * 1000).unref();
      },
    };
  }
}
