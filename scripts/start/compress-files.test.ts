import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compressFiles } from './compress-files';

it('writes compressed copies beside each script and style sheet, and beside no other file', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'compress-files-'));
  try {
    fs.mkdirSync(path.join(folder, 'chunks'));
    fs.writeFileSync(path.join(folder, 'chunks/a.js'), 'let a = 1;'.repeat(100));
    fs.writeFileSync(path.join(folder, 'b.css'), 'a{}');
    fs.writeFileSync(path.join(folder, 'c.woff2'), 'c');
    await compressFiles(folder);
    const written = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:br|gz)$/.test(name));
    const script = path.join('chunks', 'a.js');
    expect(written.sort()).toEqual(['b.css.br', 'b.css.gz', `${script}.br`, `${script}.gz`]);
    const read = (ending: string) => fs.readFileSync(path.join(folder, script + ending));
    expect(brotliDecompressSync(read('.br')).toString()).toBe('let a = 1;'.repeat(100));
    expect(gunzipSync(read('.gz')).toString()).toBe('let a = 1;'.repeat(100));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
