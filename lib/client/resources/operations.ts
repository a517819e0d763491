import type { Api } from '@/lib/client/api';
import type { CallOptions } from '@/lib/client/options';

/** The process answers. */
export interface Health {
  status: 'ok';
}

/** `degraded`: the process can serve, but another part needs attention. */
export interface Readiness {
  status: 'ok' | 'degraded';
  parts: Record<'database' | 'ingest' | 'worker', string>;
}

/** The methods of `client.operations`. */
export function operations(api: Api) {
  return {
    /** Checks that the process answers. */
    live: (options?: CallOptions): Promise<Health> =>
      api.call('GET', '/api/health/live', { isAnonymous: true, needs: ['status'] }, options),
    /** Checks that the process can serve. */
    ready: (options?: CallOptions): Promise<Readiness> =>
      api.call('GET', '/api/health/ready', { isAnonymous: true, needs: ['status'] }, options),
  };
}
