import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { readBackup } from './read-backup';
import { TAR_END, toTar } from './tar';

it('reads no further member of a backup after its signal, and every one without it', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'read-backup-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'backup');
  fs.writeFileSync(file, gzipSync(Buffer.concat([toTar({ name: 'unknown', data: Buffer.alloc(0) }), TAR_END])));
  await expect(readBackup(file, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  await expect(readBackup(file, { signal: new AbortController().signal })).rejects.toThrow('it contains "unknown"');
});
