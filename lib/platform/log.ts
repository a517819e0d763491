import { type Logger, pino } from 'pino';
import { config } from '@/lib/platform/config/config';
import { once } from '@/lib/platform/globals';

const SECRET_PATHS = ['authorization', 'cookie', 'password', 'token', 'secret', 'key', 'email'].flatMap((name) => [
  name,
  `*.${name}`,
]);

/** The process's one logger: JSON lines on stdout; the level is LOG_LEVEL. Never give it an address, name or secret. */
export function log(): Logger {
  return once('log', () =>
    pino({
      level: config().LOG_LEVEL,
      base: { process: processName() },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    }),
  );
}

function processName(): string {
  const entry = process.argv[1] ?? 'node';
  return entry.replace(/^.*[\\/]/, '').replace(/\.[a-z]+$/, '');
}
