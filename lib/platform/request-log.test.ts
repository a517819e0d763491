import { beforeEach, describe, expect, it } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { makeLogger } from '@/lib/platform/log';
import { setTestConfig } from '@/tests/setup/variables';
import { logRequest, type RequestLog, type ServedRequest, toLine } from './request-log';

const lines: ServedRequest[] = [];
const sink: RequestLog = { info: (line) => lines.push(line), isLevelEnabled: () => true };

beforeEach(() => {
  lines.length = 0;
  setOnce('request-log-sample', undefined);
});

function logMany(count: number, share: string, status = 200): number {
  setTestConfig({ LOG_REQUEST_SAMPLE: share });
  setOnce('request-log', sink);
  for (let index = 0; index < count; index += 1) {
    logRequest({ method: 'GET', route: '/x', status, durationMs: 1, requestId: String(index) });
  }
  return lines.length;
}

describe('the line of a request', () => {
  it.each([{}, { projectId: 'p1' }, { projectId: 'p1', traceId: 't1' }])(
    'is what the logger would write, with %o',
    (more) => {
      setTestConfig({ LOG_LEVEL: 'info' });
      const texts: string[] = [];
      const at = new Date();
      const served = { method: 'GET', route: '/a/{id}', status: 200, durationMs: 1.5, requestId: 'r-1', ...more };
      makeLogger({ write: (text: string) => void texts.push(text) }).info(served, 'request served');
      const [written = ''] = texts;
      expect(toLine(served, 'request served', at)).toBe(
        written.replace(/"time":"[^"]+"/, `"time":"${at.toISOString()}"`),
      );
    },
  );
});

describe('the log of requests', () => {
  it('has every request by default, and none of the good ones with a share of 0', () => {
    expect(logMany(50, '1')).toBe(50);
    lines.length = 0;
    expect(logMany(50, '0')).toBe(0);
  });

  it('has the share that LOG_REQUEST_SAMPLE sets, spread evenly, beginning with the first request', () => {
    expect(logMany(1_000, '0.1')).toBe(100);
    expect(lines.slice(0, 3).map(({ requestId }) => requestId)).toEqual(['0', '10', '20']);
  });

  it.each([400, 401, 404, 429, 500, 503])('has every request that failed with %i, whatever the share', (status) => {
    expect(logMany(20, '0', status)).toBe(20);
  });

  it('is empty when the level excludes info', () => {
    setOnce('request-log', { ...sink, isLevelEnabled: () => false });
    logRequest({ method: 'GET', route: '/x', status: 500, durationMs: 1, requestId: 'a' });
    expect(lines).toEqual([]);
  });

  it.each(['2', '-1', 'half', ''])('cannot have a share of "%s" unless it means the default', (share) => {
    if (share === '') expect(setTestConfig({ LOG_REQUEST_SAMPLE: share }).LOG_REQUEST_SAMPLE).toBe(1);
    else expect(() => setTestConfig({ LOG_REQUEST_SAMPLE: share })).toThrow('LOG_REQUEST_SAMPLE');
  });
});
