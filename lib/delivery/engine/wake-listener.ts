import pg from 'pg';
import { SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { log } from '@/lib/platform/log';

const RECONNECT_MS = SECOND_MS;

/**
 * Hears NOTIFY on a connection of its own and makes a new one when that breaks. Notifications are only a hint: what is
 * sent while no connection stands is lost, so every handler is called once after each connect.
 */
export class WakeListener {
  private client: pg.Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isClosed = false;

  /** @param handlers what to call, by channel */
  constructor(private readonly handlers: Readonly<Record<string, (payload: string) => void>>) {}

  async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: config().DATABASE_URL,
      keepAlive: true,
      connectionTimeoutMillis: 10 * SECOND_MS,
      application_name: 'event-delivery-service listener',
    });
    this.client = client;
    client.on('notification', ({ channel, payload }) => this.handlers[channel]?.(payload ?? ''));
    client.on('error', () => this.reconnect(client));
    client.on('end', () => this.reconnect(client));
    try {
      await client.connect();
      for (const channel of Object.keys(this.handlers)) await client.query(`LISTEN ${channel}`);
    } catch (error) {
      log().warn({ err: error }, 'cannot listen to the database; polling meanwhile');
      this.reconnect(client);
      return;
    }
    for (const handler of Object.values(this.handlers)) handler('');
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private reconnect(broken: pg.Client): void {
    if (this.isClosed || this.client !== broken) return;
    this.client = null;
    void broken.end().catch(() => undefined);
    this.timer = setTimeout(() => void this.connect(), RECONNECT_MS);
  }
}
