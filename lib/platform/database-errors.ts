/** The SQLSTATEs that the product distinguishes (PostgreSQL's manual, appendix A). */
export const SQL_STATE = {
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  /** Ours: the organization has moved to another cell (docs/decisions/081-moves-between-cells.md). */
  moved: '23M01',
  checkViolation: '23514',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  undefinedTable: '42P01',
  diskFull: '53100',
  outOfMemory: '53200',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  idleInTransaction: '25P03',
} as const;

/** The SQLSTATEs that correspond to Prisma's codes. P2025: the row to change does not exist. P2034: a deadlock. */
const STATE_OF_PRISMA: Readonly<Record<string, string>> = {
  P2002: SQL_STATE.uniqueViolation,
  P2003: SQL_STATE.foreignKeyViolation,
  P2034: SQL_STATE.deadlockDetected,
  P2025: SQL_STATE.foreignKeyViolation,
};

/** Returns the SQLSTATE of an error from PostgreSQL, through pg or Prisma; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, cause, meta } = error as Record<'code' | 'cause' | 'meta', unknown>;
  if (typeof code === 'string') {
    if (STATE_OF_PRISMA[code] !== undefined) return STATE_OF_PRISMA[code];
    // Every SQLSTATE has a digit, which tells it from EPIPE.
    if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !/^P\d{4}$/.test(code)) return code;
  }
  const original = (cause as { originalCode?: unknown } | undefined)?.originalCode;
  if (typeof original === 'string') return original;
  const wrapped = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError;
  return wrapped === undefined ? undefined : sqlState(wrapped);
}

/** Whether a row could not be written because another one has the same unique value. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === SQL_STATE.uniqueViolation;
}

const CANCELED: readonly string[] = [SQL_STATE.queryCanceled, SQL_STATE.lockNotAvailable, SQL_STATE.deadlockDetected];

/** Whether the server canceled a statement because it, or its wait for a lock, took too long, or because it was in a deadlock. */
export function isStatementCanceled(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && CANCELED.includes(state);
}

/** Whether a row could not be written because its organization moves, or has moved, to another cell: a repeat finds it there. */
export function hasMoved(error: unknown): boolean {
  return sqlState(error) === SQL_STATE.moved;
}

/** Returns the lane of an event or incoming event that could not be stored for that reason. */
export function movedLane(error: unknown): string | undefined {
  return hasMoved(error) ? (error as { detail?: string }).detail : undefined;
}

/** Whether a row could not be written because it, or a row that it references, was deleted concurrently. */
export function isReferenceGone(error: unknown): boolean {
  return sqlState(error) === SQL_STATE.foreignKeyViolation;
}

const NETWORK_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH']);
/**
 * PostgreSQL's classes 08 (connection), 53 (resources) and 57P (shutdown), 25006 for a server that only reads, such as a standby, 25P03
 * for a transaction that was ended because it was idle too long, Prisma's codes for an unreachable or silent server and for too many
 * connections, and P1018 and P2028 for a transaction whose connection is gone, or that got none in time or took too long.
 */
const UNREACHABLE_CODE = /^(08...|53...|57P0.|25006|25P03|P1001|P1002|P1008|P1017|P1018|P2028|P2037)$/;
/** `connect ENOENT`: a server that restarts has removed its socket. The code alone could be of a file, and Prisma keeps no more. */
const UNREACHABLE_MESSAGE =
  /connect ENOENT|connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|can't reach database server|database did not answer/i;
/** Kinds of errors of Prisma's adapter, which a raw query wraps in a P2010. */
const UNREACHABLE_KIND = /^(ConnectionClosed|DatabaseNotReachable|SocketTimeout|TooManyConnections)$/;

/** Whether an error means that the database is unreachable, not that it rejected a statement. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, kind, message, cause, meta } = error as Record<'code' | 'kind' | 'message' | 'cause' | 'meta', unknown>;
  if (typeof kind === 'string' && UNREACHABLE_KIND.test(kind)) return true;
  const isUnreachableCode = typeof code === 'string' && (NETWORK_CODES.has(code) || UNREACHABLE_CODE.test(code));
  if (isUnreachableCode || (typeof message === 'string' && UNREACHABLE_MESSAGE.test(message))) return true;
  // The cause of an error of Prisma's adapter is not an Error, and Prisma wraps it in `meta`.
  return (
    isDatabaseUnreachable(cause) ||
    isDatabaseUnreachable((meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError)
  );
}
