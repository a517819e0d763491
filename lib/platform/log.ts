import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { config } from '@/lib/platform/config/config';
import { once, setOnce } from '@/lib/platform/globals';

const SECRET_PATHS = ['authorization', 'cookie', 'password', 'token', 'secret', 'key', 'email'].flatMap((name) => [
  name,
  `*.${name}`,
]);

/** The process's one logger: JSON lines on stdout; the level is LOG_LEVEL. Never give it an address, name or secret. */
export function log(): Logger {
  return once('log', () => makeLogger());
}

/** Sends the log to stderr from now on: standard output is then for what the process was asked for. */
export function logToStderr(): void {
  setOnce('log', makeLogger(pino.destination({ dest: process.stderr.fd, sync: true })));
}

/** A logger as `log` gives it, on another destination than stdout: also for tests of what it writes. */
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

/**
 * PostgreSQL quotes the values of a row in `detail`, an address among them, and a pool adds the `client` with all that it knows.
 * The log gets the rest of the error.
 */
export function withoutDatabaseDetail(error: Error): object {
  const {
    detail: _detail,
    where: _where,
    client: _client,
    ...rest
  } = stdSerializers.err(error) as Record<string, unknown>;
  return rest;
}

function processName(): string {
  const entry = process.argv[1] ?? 'node';
  return entry.replace(/^.*[\\/]/, '').replace(/\.[a-z]+$/, '');
}
