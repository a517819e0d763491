import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { once, setOnce } from '@/lib/platform/globals';
import { config } from './config/config';
import { isPretty, prettyStream } from './log-lines';

export type { Logger };

/** Names of fields whose values are never logged, at any depth. */
const SECRETS = ['authorization', 'cookie', 'password', 'token', 'secret', 'key', 'email'];

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
    formatters: { log: (fields) => redact(fields, MAX_DEPTH) as Record<string, unknown> },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Fields of errors in which PostgreSQL quotes values of the row, such as an address, and the connection that a pool adds. */
const HIDDEN = ['detail', 'where', 'client'];
/** As deep as pino writes an object. */
const MAX_DEPTH = 5;

/** Serializes an error for the log without secrets and HIDDEN fields, at any depth. */
export function withoutDatabaseDetail(error: Error): object {
  return redact(stdSerializers.err(error), MAX_DEPTH, HIDDEN) as object;
}

function redact(value: unknown, depth: number, hidden: readonly string[] = []): unknown {
  // An error has a serializer of its own.
  if (typeof value !== 'object' || value === null || 'toJSON' in value || value instanceof Error) return value;
  if (depth === 0) return '[nested]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth - 1, hidden));
  const shown = Object.entries(value).filter(([name]) => !hidden.includes(name));
  return Object.fromEntries(
    shown.map(([name, field]) => [name, SECRETS.includes(name) ? '[redacted]' : redact(field, depth - 1, hidden)]),
  );
}

/** Returns the name of this process in its log: that of its entry. */
export function processName(): string {
  return once('process-name', nameOfEntry);
}

function nameOfEntry(): string {
  const entry = process.argv[1] ?? 'node';
  return entry.replace(/^.*[\\/]/, '').replace(/\.[a-z]+$/, '');
}
