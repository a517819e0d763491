import { setOnce } from '@/lib/platform/globals';
import { makeLogger } from '@/lib/platform/log';
import { setTestConfig } from '@/tests/setup/variables';

/** A line of the log. */
export type LogLine = Record<string, unknown> & { msg: string };

/** Everything that this process logs, at every level. */
export interface CapturedLog {
  readonly text: string;
  /** The lines of requests. */
  requests(): LogLine[];
  /** The lines with a message. */
  withMessage(message: string): LogLine[];
  clear(): void;
}

/**
 * Captures the log of this process from here on. Replaces the configuration.
 *
 * @param overrides variables that differ from the test variables; DATABASE_URL is needed when the test has a database
 */
export function captureLog(overrides: Record<string, string>): CapturedLog {
  setTestConfig({ LOG_LEVEL: 'trace', ...overrides });
  let texts: string[] = [];
  const destination = { write: (line: string) => void texts.push(line) };
  const logger = makeLogger(destination);
  setOnce('log', logger);
  setOnce('request-log', logger);
  const lines = () => texts.map((text) => JSON.parse(text) as LogLine);
  const withMessage = (message: string) => lines().filter(({ msg }) => msg === message);
  return {
    get text() {
      return texts.join('');
    },
    requests: () => withMessage('request served'),
    withMessage,
    clear: () => {
      texts = [];
    },
  };
}
