import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { eventCurl } from './event-curl';

const EVENT = {
  id: '019a',
  type: 'order.paid',
  createdAt: '2026-01-31T09:30:00.000Z',
  data: { note: 'it\'s $HOME `id`; "quoted" \\ \n' },
};

/** Returns the arguments that a shell passes to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for a in "$@"; do printf '%s\\001' "$a"; done; }\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, EDS_API_KEY: 'eds_x' } })
    .split('\u0001')
    .slice(0, -1);
}

it('sends the same event with any data', () => {
  const given = argumentsOf(eventCurl('http://localhost:3000', '$EDS_API_KEY', EVENT));
  expect(given[0]).toBe('http://localhost:3000/api/v1/events');
  expect(given).toContain('X-API-Key: eds_x');
  expect(JSON.parse(given.at(-1) ?? '')).toEqual({ type: EVENT.type, data: EVENT.data });
});
