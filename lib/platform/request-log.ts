import { pino } from 'pino';
import { once } from '@/lib/platform/globals';
import { log, processName } from '@/lib/platform/log';
import { config } from './config/config';
import { isPretty } from './log-lines';

/** A line costs less than a system call when many share one. */
const BUFFER_BYTES = 8 * 1024;
/** The longest time that a line waits in the buffer. */
const FLUSH_MS = 200;
const FIRST_ERROR_STATUS = 400;

/** What the log tells about a request: a closed list, so that no header, URL or body can get into it. */
export interface ServedRequest {
  method: string;
  /** The path template, such as /api/v1/projects/{projectId}; never the raw URL, which may contain a token. */
  route: string;
  status: number;
  durationMs: number;
  requestId: string;
  projectId?: string;
  /** Set while tracing is on. */
  traceId?: string;
}

/** Writes lines of requests. */
export interface RequestLog {
  info(line: ServedRequest, message: string): void;
  isLevelEnabled(level: 'info'): boolean;
}

/**
 * Logs a served request at level info. LOG_REQUEST_SAMPLE is the share of requests that are logged; those with a status of 400
 * and above always are. Lines of JSON are written within 200 ms, and before the process exits.
 */
export function logRequest(served: ServedRequest): void {
  const lines = once<RequestLog>('request-log', openRequestLog);
  if (!lines.isLevelEnabled('info')) return;
  if (served.status < FIRST_ERROR_STATUS && !isSampled()) return;
  lines.info(served, 'request served');
}

/** Spreads the sampled requests evenly: of a share of 0.1, every tenth. */
function isSampled(): boolean {
  const share = config().LOG_REQUEST_SAMPLE;
  if (share >= 1) return true;
  if (share === 0) return false;
  const state = once('request-log-sample', () => ({ credit: 1 - share }));
  state.credit += share;
  // Adding 0.1 ten times gives less than 1.
  if (state.credit < 1 - 1e-9) return false;
  state.credit -= 1;
  return true;
}

function openRequestLog(): RequestLog {
  // A person watches: lines keep their order, and there are few.
  if (isPretty(config(), process.stdout)) return log();
  const destination = pino.destination({ dest: process.stdout.fd, sync: true, minLength: BUFFER_BYTES });
  const isEnabled = log().isLevelEnabled('info');
  let willFlush = false;
  const flush = () => {
    willFlush = false;
    // Without a wait for the disk, which flushSync makes.
    destination.flush();
  };
  process.once('exit', () => destination.flushSync());
  return {
    isLevelEnabled: () => isEnabled,
    info: (line, message) => {
      destination.write(toLine(line, message, new Date()));
      if (willFlush) return;
      willFlush = true;
      setTimeout(flush, FLUSH_MS).unref();
    },
  };
}

/**
 * Returns the line that the logger would write. It costs a quarter of that: nothing in it needs to be redacted or escaped, since the
 * texts are templates, verbs, ids, and request ids of `[A-Za-z0-9._-]`.
 */
export function toLine(served: ServedRequest, message: string, at: Date): string {
  const { method, route, status, durationMs, requestId, projectId, traceId } = served;
  const rest = `${projectId === undefined ? '' : `"projectId":"${projectId}",`}${traceId === undefined ? '' : `"traceId":"${traceId}",`}`;
  return `{"level":30,"time":"${at.toISOString()}","process":"${processName()}","method":"${method}","route":"${route}","status":${status},"durationMs":${durationMs},"requestId":"${requestId}",${rest}"msg":"${message}"}\n`;
}
