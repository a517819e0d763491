import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { acquireDataDir } from './data-dir';
import { loadSecrets } from './setup-steps';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'data-dir-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const never = new AbortController().signal;

describe('DATA_DIR', () => {
  it('is created for its owner only, and a second start on it is refused by name', async () => {
    const dataDir = path.join(folder, 'made', 'here');
    expect(await acquireDataDir(dataDir, 'PORT 3000', never)).toEqual({ path: dataDir, afterCrash: false });
    expect(fs.statSync(dataDir).mode & 0o066).toBe(0);
    await expect(acquireDataDir(dataDir, 'PORT 3000', never)).rejects.toThrow(
      `DATA_DIR: ${dataDir} is in use by another npm start (process ${process.pid}, PORT 3000)`,
    );
  });

  it('is named in the error when it cannot be used', async () => {
    fs.writeFileSync(path.join(folder, 'file'), '');
    // No folder can be made in the other.
    for (const parent of [path.join(folder, 'file'), process.platform === 'linux' ? '/proc' : '/dev/null']) {
      const dataDir = path.join(parent, 'below');
      const refused = acquireDataDir(dataDir, 'PORT 3000', never);
      await expect(refused).rejects.toThrow(`DATA_DIR: ${dataDir} cannot be used`);
    }
  });
});

describe('the secrets', () => {
  const file = path.join(folder, 'secrets.json');

  it('are generated once, readable by their owner only, and are the same at the next start', () => {
    const made = loadSecrets(folder, {});
    expect(made.AUTH_SECRET?.length).toBeGreaterThanOrEqual(32);
    expect(Buffer.from(made.ENCRYPTION_KEY ?? '', 'base64')).toHaveLength(32);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(loadSecrets(folder, {})).toEqual(made);
  });

  it('from the environment are neither replaced nor stored', () => {
    const text = fs.readFileSync(file, 'utf8');
    const { ENCRYPTION_KEY } = loadSecrets(folder, {});
    expect(loadSecrets(folder, { AUTH_SECRET: 'from the environment' })).toEqual({ ENCRYPTION_KEY });
    expect(fs.readFileSync(file, 'utf8')).toBe(text);
  });

  it('are not replaced when their file is damaged', () => {
    fs.writeFileSync(file, '{"AUTH_SECRET": "hal');
    expect(() => loadSecrets(folder, {})).toThrow(`DATA_DIR: ${file} cannot be read or is damaged`);
    expect(loadSecrets(folder, { AUTH_SECRET: 'a', ENCRYPTION_KEY: 'b' })).toEqual({});
  });
});
