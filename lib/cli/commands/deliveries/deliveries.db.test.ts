import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { TERMINAL, useCli } from '@/tests/cli/use-cli';
import { insertFailedDelivery } from '@/tests/fixtures/failed-delivery';
import { call } from '@/tests/http/api-request';

const { projects, makeEndpoint, group } = useCli();
const { run } = group('deliveries');

async function sendEvent(): Promise<string> {
  const body = { type: 'order.paid', data: {} };
  return (await call<{ id: string }>('POST', '/api/v1/events', { apiKey: projects.mine.key, body })).json.id;
}

describe('eds deliveries', () => {
  const made = { projectId: '', endpointId: '', eventId: '' };
  beforeAll(async () => {
    made.projectId = projects.mine.id;
    made.endpointId = (await makeEndpoint(projects.mine, { url: 'https://receiver.example.com/hooks' })).id;
  });
  beforeEach(async () => {
    await database().query('DELETE FROM deliveries');
    made.eventId = await sendEvent();
  });

  it('lists deliveries with the URL they go to, filtered, as a table, as lines and as JSON', async () => {
    const id = await insertFailedDelivery(made);
    const table = await run(['list', '--status', 'failed', '--endpoint', made.endpointId], TERMINAL);
    expect(table.stdout).toMatch(/^ID +STATUS +RESULT +ATTEMPTS +EVENT +CREATED +TARGET$/m);
    const target = 'https://receiver.example.com/hooks';
    expect(table.stdout).toMatch(new RegExp(`^${id}  FAILED  503 +2 +order.paid +\\S+( ago)? +${target}$`, 'm'));
    const lines = await run(['list', '--event', made.eventId, '--from', '1h']);
    expect(lines.stdout.split('\t')).toMatchObject([id, 'FAILED', '503', '2', 'order.paid', /Z$/, `${target}\n`]);
    const json = await run(['list', '--json', '--limit', '1']);
    expect(JSON.parse(json.stdout)).toMatchObject([{ id, endpointId: made.endpointId, lastResponseStatus: 503 }]);
    const matching = await run(['list', '--type', 'order.*', '--response-status', '5xx']);
    expect(matching.stdout).toContain(id);
    for (const none of [
      ['--status', 'pending'],
      ['--to', '1h'],
      ['--endpoint', newId()],
      ['--type', 'invoice.*'],
      ['--response-status', '4xx'],
    ]) {
      const empty = await run(['list', ...none]);
      expect([empty.stdout, empty.stderr], none.join(' ')).toEqual([
        '',
        expect.stringContaining('No deliveries match.'),
      ]);
    }
  });

  it('shows the status and the error first, and each attempt with its response made safe', async () => {
    const id = await insertFailedDelivery(made);
    const shown = await run(['get', id], TERMINAL);
    expect(shown.stdout).toMatch(/^STATUS +FAILED\nERROR +Answered with status 503\nTARGET +https:\/\/receiver/);
    expect(shown.stdout).toMatch(/^#2 +503 {2}\S+( ago)?, took 480 ms$/m);
    expect(shown.stdout).toMatch(/^ +"reason": "maintenance \\x9b2J"$/m);
    expect(shown.stdout).toMatch(/^#1 +Connection refused {2}\S+( ago)?, took 5.0 s$/m);
    expect(shown.stdout).toMatch(
      /^ +203\.0\.113\.7:443, DNS 12 ms, connect 20 ms, TLS 31 ms, response after 470 ms\n +server: a\\x9b$/m,
    );
    expect(shown.stdout).not.toContain('\u009b');
    expect(shown.stderr).toContain(`eds deliveries retry ${id}`);
    const lines = (await run(['get', id])).stdout.split('\n');
    expect(lines[0]).toBe('status\tFAILED');
    expect(lines).toContainEqual(expect.stringMatching(/^attempt\t1\t\S+Z\t5000\t\tConnection refused\t{4}$/));
    const json = JSON.parse((await run(['get', id, '--json'])).stdout);
    expect(json).toMatchObject({ id, attempts: [{ attemptNumber: 2 }, { attemptNumber: 1 }] });
  });

  it('exits with 2 for wrong options, and 3 for a project that the key does not belong to', async () => {
    const id = await insertFailedDelivery(made);
    for (const wrong of [[], [id, '--all-failed'], [id, '--from', '1h'], ['--all-failed', '--wait']]) {
      expect((await run(['retry', ...wrong])).code, wrong.join(' ')).toBe(2);
    }
    expect((await run(['list', '--project', 'Another shop'])).code).toBe(3);
  });
});
