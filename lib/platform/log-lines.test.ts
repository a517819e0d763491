import { describe, expect, it } from 'vitest';
import { styleFor } from '@/lib/platform/terminal/style';
import { setTestConfig } from '@/tests/setup/variables';
import { makeLogger } from './log';
import { isPretty, toPrettyLine } from './log-lines';
import { toLine } from './request-log';

const PLAIN = styleFor({ isTTY: false }, { NODE_ENV: 'test' });
const COLORED = styleFor({ isTTY: true }, { NODE_ENV: 'test', TERM: 'xterm' });
const AT = new Date(2026, 10, 27, 9, 5, 7);
const ID = '0197b6a0-1111-7000-8000-000000000000';

const linesOf = (fields: object, style = PLAIN) =>
  toPrettyLine(JSON.stringify({ level: 30, time: AT.toISOString(), process: 'worker', ...fields }), style);
const requestOf = (status: number, durationMs: number) =>
  toPrettyLine(
    toLine(
      { method: 'POST', route: '/api/v1/events', status, durationMs, requestId: 'r-1', projectId: ID },
      'request served',
      AT,
    ).replace(/"process":"[^"]*"/, '"process":"web"'),
    PLAIN,
  );

describe('the form of log lines', () => {
  it.each([
    ['auto', true, true],
    ['auto', false, false],
    ['json', true, false],
    ['pretty', false, true],
  ] as const)('with LOG_FORMAT=%s and a terminal: %s, is for people: %s', (format, isTTY, expected) => {
    expect(isPretty(setTestConfig({ LOG_FORMAT: format }), { isTTY })).toBe(expected);
  });

  it('is JSON by default where standard output has no terminal', () => {
    expect(isPretty(setTestConfig(), {})).toBe(false);
  });
});

describe('a line for people', () => {
  it.each([
    [202, 3.6, '09:05:07 web       POST /api/v1/events 202 4 ms'],
    [404, 0.42, '09:05:07 web       POST /api/v1/events 404 0.4 ms'],
    [503, 1234, '09:05:07 web       POST /api/v1/events 503 1.2 s requestId=r-1'],
  ])(
    'of a request with status %i has its verb, route and duration, and its id only after a fault',
    (status, ms, line) => {
      expect(requestOf(status, ms)).toBe(line);
    },
  );

  it('has the level unless it is info, and fields that are not empty', () => {
    expect(linesOf({ msg: 'worker is ready', port: 3000, reason: null })).toBe(
      '09:05:07 worker    worker is ready port=3000',
    );
    expect(linesOf({ level: 40, msg: 'mail is late', outboxId: ID })).toBe(
      `09:05:07 worker    WARN mail is late outboxId=${ID}`,
    );
    const summary = { job: 'main', runId: ID, durationMs: 325, rowsRemoved: { events: 3, attempts: 0 }, dropped: 0 };
    expect(linesOf({ process: 'retention', msg: 'retention: done', ...summary })).toBe(
      '09:05:07 retention retention: done job=main rowsRemoved=events:3 325 ms',
    );
  });

  it('has the message of an error after a warning, and its stack after an error', () => {
    const err = {
      type: 'Error',
      message: 'connect refused',
      code: 'ECONNREFUSED',
      stack: 'Error: refused\n    at a:1',
    };
    expect(linesOf({ level: 40, msg: 'lost', err })).toBe(
      '09:05:07 worker    WARN lost\n    ECONNREFUSED: connect refused',
    );
    expect(linesOf({ level: 50, msg: 'failed', err })).toBe(
      '09:05:07 worker    ERROR failed\n    Error: refused\n    at a:1',
    );
  });

  it('has colors for a terminal that shows them, and no escape sequence otherwise', () => {
    expect(linesOf({ level: 50, msg: 'failed' }, COLORED)).toContain('\x1b[31mERROR');
    expect(linesOf({ level: 50, msg: 'failed' })).not.toContain('\x1b');
  });

  it('shows control characters in values instead of sending them to the terminal', () => {
    const line = linesOf({ msg: 'a\x1b[2Jb', reason: '\x1b]52;c;aGk=\x07', err: { message: '\x1bc' } });
    expect(line).not.toContain('\x1b');
    expect(line).toContain('a\\x1b[2Jb reason=\\x1b]52;c;aGk=\\x07');
  });

  it('has no secret that a line of JSON does not have', () => {
    setTestConfig({ LOG_LEVEL: 'info' });
    const texts: string[] = [];
    makeLogger({ write: (json) => void texts.push(toPrettyLine(json, PLAIN)) }).info(
      { token: 'hidden-1', request: { authorization: 'hidden-2' } },
      'seen',
    );
    expect(texts.join('')).toContain('seen token=[redacted] request=authorization:[redacted]');
  });
});
