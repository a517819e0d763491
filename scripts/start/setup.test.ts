import fs from 'node:fs';
import { builtinModules } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Setup, withSetup } from './setup';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'setup-'));

describe('the steps of a start', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('run one after the other in a separate process, and return plain data', async () => {
    for (const [name, value] of [
      ['PORT', '4321'],
      ['AUTH_SECRET', ''],
      ['ENCRYPTION_KEY', ''],
    ] as const)
      vi.stubEnv(name, value);
    fs.mkdirSync(folder, { recursive: true });
    await withSetup('stderr', async (setup) => {
      expect(await setup.run('readConfig', null)).toMatchObject({ port: 4321, isBaseUrlSet: false });
      const made = await setup.run('loadSecrets', folder);
      expect(await setup.run('loadSecrets', folder)).toEqual(made);
      expect(Object.keys(made)).toEqual(['AUTH_SECRET', 'ENCRYPTION_KEY']);
    });
  });

  it('fail with the name and message of their error, and later steps still run', async () => {
    vi.stubEnv('PORT', 'web');
    await withSetup('stderr', async (setup) => {
      await expect(setup.run('readConfig', null)).rejects.toMatchObject({
        name: 'ConfigError',
        message: 'PORT: must be a whole number (default: 3000)',
      });
      await expect(setup.run('build', [])).resolves.toBeUndefined();
    });
  });

  it('are refused once the process has been closed', async () => {
    const setup = new Setup('stderr');
    await setup.run('build', []);
    setup.close();
    await expect(setup.run('build', [])).rejects.toThrow('Setup has ended.');
  });
});

it('the process that stays after a start loads only its own code and modules of Node', async () => {
  const { metafile } = await build({
    entryPoints: ['scripts/start/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    write: false,
    metafile: true,
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map((one) => one.path));
  const foreign = imported.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
  expect(foreign).toEqual([]);
  expect(imported).toContain('node:child_process');
});
