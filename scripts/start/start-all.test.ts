import { expect, it } from 'vitest';
import { describeRunning } from './start-all';

it.each([
  ['web, worker and retention are running', { web: true, worker: true, retention: true }],
  ['web and retention are running', { web: true, worker: false, retention: true }],
  ['web is running', { web: true, worker: false, retention: false }],
])('a start prints %j for %j', (line, running) => {
  expect(describeRunning(Object.entries(running).map(([name, isRunning]) => ({ name, isRunning })))).toBe(line);
});
