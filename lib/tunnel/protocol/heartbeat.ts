import type { WebSocket } from 'ws';
import { HEARTBEAT } from './protocol';

export interface HeartbeatTimes {
  pingMs: number;
  deadMs: number;
}

/** Pings the other side, and destroys the connection when nothing arrives. */
export class Heartbeat {
  private readonly timer: NodeJS.Timeout;
  private heardAt = performance.now();

  constructor(socket: WebSocket, { pingMs, deadMs }: HeartbeatTimes = HEARTBEAT) {
    this.timer = setInterval(() => {
      if (performance.now() - this.heardAt >= deadMs) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.ping();
    }, pingMs);
    this.timer.unref();
  }

  /** Call this when anything arrives from the other side. */
  heard(): void {
    this.heardAt = performance.now();
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
