import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compressFiles } from './compress-files';

it('writes a copy beside each script and style sheet, and beside no other file', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'compress-files-'));
  try {
    fs.mkdirSync(path.join(folder, 'chunks'));
    fs.writeFileSync(path.join(folder, 'chunks/a.js'), 'let a = 1;'.repeat(100));
    fs.writeFileSync(path.join(folder, 'b.css'), 'a{}');
    fs.writeFileSync(path.join(folder, 'c.woff2'), 'c');
    await compressFiles(folder);
    const written = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.br'));
    expect(written.sort()).toEqual(['b.css.br', path.join('chunks', 'a.js.br')]);
    const script = brotliDecompressSync(fs.readFileSync(path.join(folder, 'chunks/a.js.br')));
    expect(script.toString()).toBe('let a = 1;'.repeat(100));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
