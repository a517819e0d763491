import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@playwright/test';
import { fetchChecked } from './support/check-response';

const NO_VARIABLES = { DATABASE_URL: '', AUTH_SECRET: '', ENCRYPTION_KEY: '' };

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} to npm alone stops everything`, async () => {
    const env = { ...process.env, ...NO_VARIABLES, DATA_DIR: test.info().outputPath('data'), PORT: '0' };
    const npm = spawn('npm', ['start'], { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await expect.poll(() => output, { timeout: 60_000 }).toContain('Ready.');
    const url = /Open (http\S+)/.exec(output)?.[1] ?? '';
    expect((await fetchChecked(`${url}/api/health/live`)).status).toBe(200);
    npm.kill(signal);
    await once(npm, 'close');
    expect(output).toContain('Stopped.');
    await expect(fetchChecked(`${url}/api/health/live`)).rejects.toThrow();
  });
}

test('SIGTERM to npm alone stops npm run retention', async () => {
  const env = { ...process.env, DATABASE_URL: process.env.E2E_DATABASE_URL ?? '' };
  const npm = spawn('npm', ['run', 'retention'], { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await expect.poll(() => output, { timeout: 60_000 }).toContain('retention is ready');
  npm.kill('SIGTERM');
  await once(npm, 'close');
  expect(output).toContain('"reason":"SIGTERM"');
});
