import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const REFUSED: [string, string][] = [
  ['app/(dashboard)/page.tsx', '@/lib/platform/db'],
  ['app/(dashboard)/page.tsx', 'pg'],
  ['components/keys/key-table.tsx', '@/lib/keys/create-key'],
  ['components/keys/key-table.tsx', '@/lib/platform/db'],
  ['components/keys/key-table.tsx', '@/app/layout'],
  ['lib/platform/db.ts', '@/lib/keys/queries'],
  ['lib/platform/db.ts', '@/lib/http/route'],
  ['lib/http/route.ts', '@/lib/keys/queries'],
  ['lib/keys/queries.ts', '@/lib/http/route'],
  ['lib/keys/queries.ts', '@/lib/events/queries'],
  ['lib/audit/record-audit.ts', '@/lib/admin/queries'],
  ['lib/keys/queries.ts', 'next/server'],
  ['lib/api/keys/routes.ts', 'next/server'],
  ['lib/api/keys/routes.ts', 'pg'],
  ['lib/keys/queries.ts', '../events/queries'],
  ['scripts/web.ts', '@/components/ui/button'],
];

const ALLOWED: [string, string][] = [
  ['app/(dashboard)/page.tsx', '@/components/keys/key-table'],
  ['app/api/v1/events/route.ts', '@/lib/api/table'],
  ['components/keys/key-table.tsx', '@/lib/keys/schema'],
  ['lib/http/route.ts', '@/lib/platform/errors'],
  ['lib/events/queries.ts', '@/lib/keys/queries'],
  ['lib/keys/queries.ts', '@/lib/platform/db'],
  ['lib/keys/queries.ts', './schema'],
  ['lib/api/keys/routes.ts', '@/lib/keys/queries'],
  ['scripts/web.ts', '@/lib/api/table'],
];

const importing = (imported: string) => `import { thing } from '${imported}';\n\nexport const used = thing;\n`;

interface Report {
  diagnostics: { category: string; location: { path: string } }[];
}

/** Lints throwaway files that stand where `file` says, in a folder with this project's Biome configuration. */
function lint(folder: string, files: { file: string; source: string }[]): (file: string, source: string) => string[] {
  const placed = new Map<string, string>();
  for (const [index, { file, source }] of files.entries()) {
    const place = path.join(path.dirname(file), `probe-${index}`, path.basename(file));
    mkdirSync(path.dirname(path.join(folder, place)), { recursive: true });
    writeFileSync(path.join(folder, place), source);
    placed.set(file + source, place);
  }
  const options = ['lint', '--reporter=json', '--max-diagnostics=none', '--vcs-enabled=false', '.'];
  const { stdout } = spawnSync(path.resolve('node_modules/.bin/biome'), options, { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as Report;
  return (file, source) =>
    diagnostics.filter(({ location }) => location.path === placed.get(file + source)).map(({ category }) => category);
}

describe('the lint rules of this project', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lint-rules-'));
  const CONFIG = 'lib/platform/config/config.ts';
  const [ENVIRONMENT, CONSOLE] = ['export const a = process.env.A;\n', "console.log('a');\n"];
  let faultsOf: (file: string, source: string) => string[];

  beforeAll(() => {
    cpSync('biome.json', path.join(folder, 'biome.json'));
    const imports = [...REFUSED, ...ALLOWED].map(([file, imported]) => ({ file, source: importing(imported) }));
    const others = ['lib/keys/queries.ts', CONFIG, 'scripts/web.ts'].flatMap((file) => [
      { file, source: ENVIRONMENT },
      { file, source: CONSOLE },
    ]);
    faultsOf = lint(folder, [...imports, ...others]);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(REFUSED)('%s may not import %s', (file, imported) => {
    expect(faultsOf(file, importing(imported))).toContain('lint/style/noRestrictedImports');
  });

  it.each(ALLOWED)('%s may import %s', (file, imported) => {
    expect(faultsOf(file, importing(imported))).not.toContain('lint/style/noRestrictedImports');
  });

  it('let the environment be read in the configuration only', () => {
    expect(faultsOf('lib/keys/queries.ts', ENVIRONMENT)).toContain('lint/style/noProcessEnv');
    expect(faultsOf(CONFIG, ENVIRONMENT)).not.toContain('lint/style/noProcessEnv');
  });

  it('let the console be written by entries only', () => {
    expect(faultsOf('lib/keys/queries.ts', CONSOLE)).toContain('lint/suspicious/noConsole');
    expect(faultsOf('scripts/web.ts', CONSOLE)).not.toContain('lint/suspicious/noConsole');
  });
});
