import type { ErrorCode } from '@/lib/platform/errors';
import { MinuteAllowance } from './minute-allowance';

/**
 * What became of a request, as far as the size of the log is concerned: `refused` by the rules of the tunnel or of the relay;
 * `unserved`, because no client could take it; or `served`.
 */
export type RowKind = 'served' | 'unserved' | 'refused';

/** Rows of one tunnel in a minute, in each web process. A stranger who knows the URL must not fill the database. */
const MAX_ROWS_PER_MINUTE: Record<RowKind, number> = {
  // 333 a second for a minute: more than a tunnel to the machine of a developer carries.
  served: 20_000,
  // These cost their sender nothing. Ten a second are enough to see what is wrong. The two are counted apart, so that a
  // stranger without the password cannot hide what an offline client misses.
  unserved: 600,
  refused: 600,
};

const KIND_OF_ERROR: Partial<Record<ErrorCode, RowKind>> = {
  forbidden: 'refused',
  unauthenticated: 'refused',
  rate_limited: 'refused',
  payload_too_large: 'refused',
  upgrade_unsupported: 'refused',
  tunnel_offline: 'unserved',
  tunnel_busy: 'unserved',
};

/** Returns the kind of a row. @param error the code of the error; null for none */
export function rowKindOf(error: string | null): RowKind {
  return KIND_OF_ERROR[error as ErrorCode] ?? 'served';
}

/** Bounds the rows that are logged per tunnel and minute, each kind apart. */
export class RowAllowance {
  private readonly allowances: Record<RowKind, MinuteAllowance>;

  constructor(now?: () => number) {
    const of = (kind: RowKind) => new MinuteAllowance(MAX_ROWS_PER_MINUTE[kind], now);
    this.allowances = { served: of('served'), unserved: of('unserved'), refused: of('refused') };
  }

  /** Whether a row more of this kind may be logged. Counts it when it may. */
  take(tunnelId: string, kind: RowKind): boolean {
    return this.allowances[kind].take(tunnelId, 1);
  }
}
