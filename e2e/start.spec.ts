import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';

/** Runs `npm start` to its end, beside the product that the tests run against. */
function start(variables: Record<string, string>): { status: number | null; said: string } {
  const env = { ...process.env, DATABASE_URL: '', AUTH_SECRET: '', ENCRYPTION_KEY: '', ...variables };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs'], { env, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

test('a second start on the same DATA_DIR is refused by name', () => {
  const dataDir = process.env.E2E_DATA_DIR ?? '';
  const { status, said } = start({ DATA_DIR: dataDir, PORT: '0' });
  expect(said).toContain(`DATA_DIR: ${dataDir} is in use by another npm start`);
  expect(status).toBe(1);
});

test('a PORT that is taken is refused by name, without trying again and again', () => {
  const port = new URL(process.env.E2E_BASE_URL ?? '').port;
  const { status, said } = start({ DATA_DIR: test.info().outputPath('data'), PORT: port });
  expect(said).toContain(`PORT: ${port} is already in use`);
  expect(status).toBe(1);
});

test('bad variables stop the start before anything is done, a line each, without a stack', () => {
  const { status, said } = start({ DATA_DIR: test.info().outputPath('data'), PORT: 'web', LOG_LEVEL: 'loud' });
  expect(said.trim().split('\n')).toEqual([
    'PORT: must be a whole number (default: 3000)',
    expect.stringMatching(/^LOG_LEVEL: /),
  ]);
  expect(status).toBe(1);
});
