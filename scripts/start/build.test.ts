import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BuildTarget, buildStale, compressFiles, isStale } from './build';

describe('a build target', () => {
  const home = process.cwd();
  const never = new AbortController().signal;
  let made: number;
  let product: BuildTarget;

  beforeEach(() => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    process.chdir(fs.mkdtempSync(path.join(os.tmpdir(), 'build-')));
    for (const folder of ['lib/generated', 'lib/prisma/generated']) fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync('lib/a.ts', 'one');
    made = 0;
    product = {
      name: 'thing',
      doing: 'Making the thing',
      inputs: ['lib', 'absent.json'],
      output: 'out.txt',
      make: async () => {
        made += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        fs.writeFileSync('out.txt', 'made');
        return 'Thing made';
      },
    };
  });
  afterEach(() => {
    vi.restoreAllMocks();
    const folder = process.cwd();
    process.chdir(home);
    fs.rmSync(folder, { recursive: true });
  });

  it('is built once, and not again while its sources are the same', async () => {
    await buildStale([product], never);
    await buildStale([product], never);
    expect(made).toBe(1);
  });

  it.each([
    ['changed', () => fs.writeFileSync('lib/a.ts', 'two')],
    ['added', () => fs.writeFileSync('lib/b.ts', '')],
    ['renamed', () => fs.renameSync('lib/a.ts', 'lib/c.ts')],
    ['no longer absent', () => fs.writeFileSync('absent.json', '{}')],
  ])('is stale when a source is %s', async (_, change) => {
    await buildStale([product], never);
    expect(isStale(product)).toBe(false);
    change();
    expect(isStale(product)).toBe(true);
  });

  it('is not stale when a test or the client of Prisma has changed', async () => {
    await buildStale([product], never);
    fs.writeFileSync('lib/a.test.ts', '');
    fs.writeFileSync('lib/prisma/generated/client.ts', '');
    expect(isStale(product)).toBe(false);
  });

  it('is stale when generated code of the repository has changed', async () => {
    await buildStale([product], never);
    fs.writeFileSync('lib/generated/operations.ts', '');
    expect(isStale(product)).toBe(true);
  });

  it('is stale when its output is deleted', async () => {
    await buildStale([product], never);
    fs.rmSync('out.txt');
    expect(isStale(product)).toBe(true);
  });

  it('is built again after a failure that left half of it', async () => {
    await buildStale([product], never);
    fs.writeFileSync('lib/a.ts', 'broken');
    const fail = async () => {
      throw new Error('no such luck');
    };
    await expect(buildStale([{ ...product, make: fail }], never)).rejects.toThrow('no such luck');
    fs.writeFileSync('lib/a.ts', 'one');
    expect(isStale(product)).toBe(true);
  });

  it('is stale when a source changes during the build', async () => {
    const make = () => {
      fs.writeFileSync('lib/a.ts', 'edited meanwhile');
      return product.make(never);
    };
    await buildStale([{ ...product, make }], never);
    expect(isStale(product)).toBe(true);
  });

  it('is built once when two processes ask for it at the same time', async () => {
    await Promise.all([buildStale([product], never), buildStale([product], never)]);
    expect(made).toBe(1);
  });
});

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
