import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['app', 'components', 'e2e', 'lib', 'scripts', 'tests'];
/** At the beginning of a line, as Biome formats it, so that samples in strings are passed over; and `import('…')` anywhere. */
const IMPORT = /^(?:import|export) [^'"();=]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

export interface Import {
  file: string;
  /** As it is written. */
  specifier: string;
  /** A path from the root without its extension, or the name of a package. */
  imported: string;
}

/** Lists what a source imports, types too. */
export function listImports(file: string, source: string): Import[] {
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
export function readImports(): Import[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.posix.join(folder, file)),
  );
  const sources = ['proxy.ts', ...files].filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.includes('/generated/'));
  return sources.flatMap((file) => listImports(file, readFileSync(file, 'utf8')));
}

/** Finds the groups of files that import each other, directly or through others (Tarjan's algorithm). */
export function findCircles(imports: Pick<Import, 'file' | 'imported'>[]): string[][] {
  const files = new Map(imports.map(({ file }) => [withoutExtension(file), file]));
  const targets = new Map<string, string[]>();
  for (const { file, imported } of imports) {
    const target = files.get(imported);
    if (target !== undefined) targets.set(file, [...(targets.get(file) ?? []), target]);
  }
  const [visited, lowest] = [new Map<string, number>(), new Map<string, number>()];
  const [open, circles]: [string[], string[][]] = [[], []];
  const visit = (file: string): number => {
    const order = visited.size;
    visited.set(file, order);
    open.push(file);
    let low = order;
    for (const target of targets.get(file) ?? []) {
      if (!visited.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, lowest.get(target) ?? visited.get(target) ?? low);
    }
    lowest.set(file, low);
    if (low === order) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  };
  for (const file of targets.keys()) if (!visited.has(file)) visit(file);
  return circles;
}
