import { statement } from '@/lib/platform/sql/statement';
import { SIGNAL_CHANNEL } from './connections-sql';

/** Sends a signal to every web process. $1 JSON text with ids only. */
export const sendTunnelSignal = statement(`SELECT pg_notify('${SIGNAL_CHANNEL}', $1)`);
