import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBrokenRule, RANKS } from './import-rules';

const FOLDERS = ['app', 'components', 'e2e', 'lib', 'scripts', 'tests'];
/** At the beginning of a line, as Biome formats it; and `import('…')` anywhere. */
const IMPORT = /^(?:import|export) [^'"();=]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

interface Import {
  file: string;
  /** As it is written. */
  specifier: string;
  /** A path from the root without its extension, or the name of a package. */
  imported: string;
}

/** Lists what a source imports, types too. */
function listImports(file: string, source: string): Import[] {
  return [...source.matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    return { file, specifier, imported: withoutExtension(locate(file, specifier)) };
  });
}

function locate(file: string, specifier: string): string {
  if (specifier.startsWith('@/')) return specifier.slice(2);
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier;
}

function withoutExtension(file: string): string {
  return file.replace(/\.(tsx?|mjs)$/, '');
}

/** Reads the imports of every source that people write. */
function readImports(): Import[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.posix.join(folder, file)),
  );
  const sources = ['proxy.ts', ...files].filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.includes('/generated/'));
  return sources.flatMap((file) => listImports(file, readFileSync(file, 'utf8')));
}

/** Lists the files that import each other in a circle, and those between two circles. */
function findCircles(imports: Pick<Import, 'file' | 'imported'>[]): string[] {
  let left = imports.map(({ file, imported }) => ({ from: withoutExtension(file), to: imported }));
  for (;;) {
    const importing = new Set(left.map(({ from }) => from));
    const imported = new Set(left.map(({ to }) => to));
    const kept = left.filter(({ from, to }) => importing.has(to) && imported.has(from));
    if (kept.length === left.length) return [...importing].sort();
    left = kept;
  }
}

describe('the import rules', () => {
  it('rank every folder of lib/', () => {
    const folders = readdirSync('lib').map((name) => `lib/${name}`);
    expect(folders.filter((folder) => !RANKS.some((rank) => rank.folder === folder))).toEqual([]);
  });
});

describe('the sources', () => {
  const imports = readImports();

  it('import only what the ranks allow', () => {
    const broken = imports.flatMap(({ file, imported }) => {
      const rule = findBrokenRule(file, imported);
      return rule === null ? [] : [`${file} imports ${imported}. ${rule}`];
    });
    expect(imports.length).toBeGreaterThan(1_000);
    expect(broken).toEqual([]);
  });

  it('import across folders from "@/", within a folder from "./"', () => {
    // A file that Node runs before anything is bundled does not know "@/".
    const bundled = imports.filter(({ file }) => !/^scripts\/.*\.mjs$/.test(file));
    expect(bundled.filter(({ specifier }) => specifier.startsWith('..'))).toEqual([]);
  });

  it('import each other in no circle', () => {
    expect(findCircles(imports)).toEqual([]);
  });
});
