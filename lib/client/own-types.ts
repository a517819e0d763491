import type { SendEventBody } from '@/lib/events/schema';
import type { Body } from './query';

// The types of requests and responses that differ from the schemas of the service.

/** An event to send. */
export interface NewEvent extends Omit<Body<typeof SendEventBody>, 'data'> {
  /** Any object that JSON can represent, at most 256 KiB. */
  data: object;
}

/** The process answers. */
export interface Health {
  status: 'ok';
}

/** `degraded`: the process can serve, but another part needs attention. */
export interface Readiness {
  status: 'ok' | 'degraded';
  parts: Record<'database' | 'ingest' | 'worker' | 'storage', string>;
}
