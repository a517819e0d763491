import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { once, setOnce } from '@/lib/platform/globals';
import { config } from './config/config';
import { isPretty, prettyStream } from './log-lines';

export type { Logger };

const SECRET_PATHS = ['authorization', 'cookie', 'password', 'token', 'secret', 'key', 'email'].flatMap((name) => [
  name,
  `*.${name}`,
]);

/** The logger of this process: lines on stdout in LOG_FORMAT, level LOG_LEVEL. Never log an address, name or secret. */
export function log(): Logger {
  return once('log', () => makeLogger(isPretty(config(), process.stdout) ? prettyStream(process.stdout) : undefined));
}

/** Sends the log to stderr, so that standard output contains only the result of a command. */
export function logToStderr(): void {
  const { stderr } = process;
  const isReadByPeople = isPretty(config(), stderr);
  setOnce('log', makeLogger(isReadByPeople ? prettyStream(stderr) : pino.destination({ dest: stderr.fd, sync: true })));
}

/** Creates the logger of `log` with another destination. Exported for tests. */
export function makeLogger(destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: config().LOG_LEVEL,
    base: { process: processName() },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: withoutDatabaseDetail },
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

const HIDDEN = ['detail', 'where', 'client'];
/** As deep as pino writes an object. */
const MAX_DEPTH = 5;

/**
 * Serializes an error for the log without `detail` and `where` at any depth, in which PostgreSQL quotes values of the row, such as an
 * address, and without the `client` that a pool adds.
 */
export function withoutDatabaseDetail(error: Error): object {
  return withoutHidden(stdSerializers.err(error), MAX_DEPTH) as object;
}

function withoutHidden(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (depth === 0) return '[nested]';
  if (Array.isArray(value)) return value.map((item) => withoutHidden(item, depth - 1));
  const shown = Object.entries(value).filter(([name]) => !HIDDEN.includes(name));
  return Object.fromEntries(shown.map(([name, field]) => [name, withoutHidden(field, depth - 1)]));
}

/** Returns the name of this process in its log: that of its entry. */
export function processName(): string {
  return once('process-name', nameOfEntry);
}

function nameOfEntry(): string {
  const entry = process.argv[1] ?? 'node';
  return entry.replace(/^.*[\\/]/, '').replace(/\.[a-z]+$/, '');
}
