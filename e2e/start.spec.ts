import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@playwright/test';
import { fetchChecked } from './support/check-response';

const NO_VARIABLES = { DATABASE_URL: '', AUTH_SECRET: '', ENCRYPTION_KEY: '' };

/** Runs `npm start` until it exits, beside the product under test. */
function start(variables: Record<string, string>): { status: number | null; output: string } {
  const env = { ...process.env, ...NO_VARIABLES, ...variables };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs'], { env, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

test('a second start with the same DATA_DIR fails and names it', () => {
  const dataDir = process.env.E2E_DATA_DIR ?? '';
  const { status, output } = start({ DATA_DIR: dataDir, PORT: '0' });
  expect(output).toContain(`DATA_DIR: ${dataDir} is in use by another npm start`);
  expect(status).toBe(1);
});

test('a PORT in use fails once and is named', () => {
  const port = new URL(process.env.E2E_BASE_URL ?? '').port;
  const { status, output } = start({ DATA_DIR: test.info().outputPath('data'), PORT: port });
  expect(output).toContain(`PORT: ${port} is already in use`);
  expect(status).toBe(1);
});

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
