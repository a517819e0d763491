import { describe, expect, it } from 'vitest';
import { Context } from '@/lib/cli/context';
import { processTerminal } from '@/lib/cli/terminal';
import { LiveView } from './live-view';

const REQUEST = {
  method: 'POST',
  path: '/hook',
  status: 200,
  durationMs: 12,
  error: null,
  eventType: null,
  body: null,
};

/** Returns a view and what it has written. */
function makeView({ json = false, isTTY = true, showsBodies = false } = {}) {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({
    isTTY,
    columns: 60,
    write: (text: string | Uint8Array) => {
      written[name] += text;
    },
    flush: async () => undefined,
  });
  const terminal = {
    ...processTerminal(() => undefined),
    env: { NODE_ENV: 'test' as const, NO_COLOR: '1' },
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  };
  const globals = { json, profile: undefined, project: undefined, org: undefined };
  return { written, view: new LiveView(new Context(terminal, globals, new AbortController().signal), showsBodies) };
}

describe('the lines of eds listen', () => {
  it('begin with the URL, also when requests came before it', () => {
    const { view, written } = makeView({ isTTY: false });
    view.onRequest(REQUEST);
    expect(written.stdout).toBe('');
    view.begin('https://eds.test/t/x/', 'http://localhost:4000', {});
    expect(written.stdout).toMatch(
      /^https:\/\/eds\.test\/t\/x\/ -> http:\/\/localhost:4000\n\S+Z\tPOST\t\/hook\t200\t12 ms\n$/,
    );
  });

  it('show escape sequences of a request and of the URL, and do not write them', () => {
    const { view, written } = makeView();
    view.begin('https://eds.test/t/\x1b[2J', 'http://localhost:4000', {});
    view.onRequest({ ...REQUEST, path: '/\x9b2J\x1b]5;\x07', error: 'E\x1b[A' });
    expect(written.stdout).toContain('/\\x9b2J\\x1b]5;\\x07');
    expect(written.stdout).toContain('E\\x1b[A');
    expect([...written.stdout].filter((character) => character !== '\n' && /\p{Cc}/u.test(character))).toEqual([]);
  });

  it('are aligned, keep both ends of a long path, and say what a refused connection means', () => {
    const { view, written } = makeView();
    view.begin('https://eds.test/t/x/', 'http://localhost:4000', {});
    view.onRequest({ ...REQUEST, path: `/webhooks/${'x'.repeat(40)}/orders` });
    view.onRequest({ ...REQUEST, method: 'DELETE', path: '/a', status: 502, durationMs: 1234, error: 'ECONNREFUSED' });
    const [, ...lines] = written.stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.slice(10))).toEqual([
      'POST    200     12 ms  /webhooks/xxx…xxxxxx/orders',
      'DELETE  502   1234 ms  /a  ECONNREFUSED: is the local server running?',
    ]);
    expect(lines[0]).toHaveLength(60);
  });

  it('name the type of the event, and with --bodies show its content, which cannot control the terminal', () => {
    const request = {
      ...REQUEST,
      eventType: 'order.paid',
      body: '{"type":"order.paid","data":{"id":12345678901234567890}}',
    };
    const short = makeView();
    const long = makeView({ showsBodies: true });
    const json = makeView({ showsBodies: true, json: true });
    for (const { view } of [short, long, json]) {
      view.begin('https://eds.test/t/x/', 'http://localhost:4000', {});
      view.onRequest(request);
      view.onRequest({ ...REQUEST, body: 'a\x1b[2J\nb' });
    }
    expect(short.written.stdout).toMatch(/ 200 +12 ms {2}order\.paid {2}\/hook\n/);
    expect(short.written.stdout).not.toContain('12345678901234567890');
    expect(long.written.stdout).toContain('"id": 12345678901234567890');
    expect(long.written.stdout).toContain('    a\\x1b[2J\n    b\n');
    expect(JSON.parse(json.written.stdout.split('\n')[1] ?? '')).toMatchObject({
      eventType: 'order.paid',
      body: request.body,
    });
  });

  it('say when the connection broke and when it is back, on standard error, or as NDJSON with --json', () => {
    const status = [
      { state: 'connected' },
      { state: 'disconnected', reason: 'The server restarts.', retryMs: 250 },
      { state: 'connected' },
    ] as const;
    const words = makeView();
    const lines = makeView({ json: true });
    for (const { view } of [words, lines]) {
      view.begin('https://eds.test/t/x/', 'http://localhost:4000', {});
      for (const each of status) view.onStatus(each);
    }
    expect(words.written.stderr).toBe('The server restarts. Reconnecting in 0.3 s.\nReconnected, with the same URL.\n');
    const [, ...objects] = lines.written.stdout.trim().split('\n');
    expect(objects.map((line) => JSON.parse(line))).toEqual([
      { type: 'disconnected', reason: 'The server restarts.', retryMs: 250 },
      { type: 'connected' },
    ]);
  });
});
