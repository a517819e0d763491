import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { RunOptions } from '@/tests/cli/eds';
import { useCli } from '@/tests/cli/use-cli';
import { countEvents } from '@/tests/fixtures/deliveries';
import { listen } from '@/tests/http/listen';

const { projects, eds } = useCli();
const withKey = (key = projects.mine.key) => ({ EDS_API_KEY: key, NO_COLOR: '1' });
const send = (lines: string, args: string[] = [], options: RunOptions = {}) =>
  eds.run(['send', '--stdin', ...args], { stdin: lines, env: withKey(), ...options });
const parsed = (ndjson: string) =>
  ndjson
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const eventLines = (count: number) =>
  Array.from({ length: count }, (_, i) => `{"type": "many", "data": {"n": ${i}}}\n`).join('');

describe('eds send --stdin', () => {
  it('sends each line, in order, and writes the result of each as NDJSON', async () => {
    const before = await countEvents(projects.mine.id);
    const sent = await send(eventLines(100), ['--json']);
    expect([sent.code, sent.stderr]).toEqual([0, '']);
    expect(parsed(sent.stdout).map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect((await countEvents(projects.mine.id)) - before).toBe(100);
    const shown = await send(eventLines(2), [], { tty: ['stderr'], env: withKey() });
    expect(shown.stdout).toMatch(/^1\t\S{36}\tmany\n2\t\S{36}\tmany\n$/);
    expect(shown.stderr).toContain('Sent 2 events.');
  });

  it('sends the other lines when some fail, and exits with 1', async () => {
    const lines = [
      '{"type": "good"}',
      'not JSON',
      '{"type": "no type!", "data": {}}',
      '',
      '{"type": "good", "data": {}}',
    ];
    const sent = await send(lines.join('\n'), ['--json']);
    expect(parsed(sent.stdout)).toMatchObject([
      { line: 1, error: { code: 'validation_failed', reason: expect.stringContaining('data') } },
      { line: 2, error: { code: 'usage' } },
      { line: 3, error: { code: 'validation_failed' } },
      { line: 5, id: expect.any(String), type: 'good' },
    ]);
    expect([sent.code, JSON.parse(sent.stderr).error.message]).toEqual([1, '3 of 4 events failed.']);
    const words = await send('{"kind": "x"}');
    expect(words.stderr).toMatch(/^Line 1: It has an unknown field, "kind"\. /);
  });

  it('stops at the first failure with --fail-fast, or when no line could be sent', async () => {
    const first = await send(`broken\n${eventLines(200)}`, ['--fail-fast', '--concurrency', '2', '--json']);
    expect([first.code, parsed(first.stdout).length < 10]).toEqual([1, true]);
    const refused = await send(eventLines(200), ['--json'], { env: withKey(projects.mine.readOnlyKey) });
    expect([refused.code, parsed(refused.stdout).length < 20]).toEqual([5, true]);
    expect(JSON.parse(refused.stderr).error).toMatchObject({ code: 'read_only_key' });
  });

  it('writes a result while standard input is open, and ends with 130 on Ctrl-C', async () => {
    const piped = eds.start(['send', '--stdin'], { env: withKey(), keepsStdinOpen: true });
    piped.child.stdin?.write(eventLines(1));
    await piped.waitFor(/^1\t\S{36}\tmany$/m);
    piped.child.kill('SIGINT');
    expect((await piped.ended).code).toBe(130);
  });

  it('sends an event once for its idempotency key', async () => {
    const line = '{"type": "once", "data": {}, "idempotencyKey": "line-1"}\n';
    const [one, two] = parsed((await send(line + line, ['--json'])).stdout);
    expect(two.id).toBe(one.id);
  });

  it('sends as many at a time as it may, and waits when the server limits the rate', async () => {
    let open = 0;
    let most = 0;
    let requests = 0;
    const limiting = createServer((request, response) => {
      open += 1;
      requests += 1;
      most = Math.max(most, open);
      const isLimited = requests <= 2;
      request.resume().on('end', () =>
        setTimeout(() => {
          open -= 1;
          response.writeHead(isLimited ? 429 : 202, { 'Content-Type': 'application/json', 'Retry-After': '1' });
          response.end(isLimited ? '{"status":429,"code":"rate_limited"}' : '{"id":"1","type":"a","createdAt":"now"}');
        }, 20),
      );
    });
    const url = await listen(limiting);
    const sent = await send(eventLines(20), ['--concurrency', '3'], { env: { ...withKey(), EDS_API_URL: url } });
    expect([sent.code, sent.stderr]).toEqual([0, 'Sent 20 events.\n']);
    expect([requests, most]).toEqual([22, 3]);
  });
});
