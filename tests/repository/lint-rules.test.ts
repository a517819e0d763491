import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Report {
  diagnostics: { category: string; location: { path: string } }[];
}

/** Lints temporary files at the paths of `files`, in a folder with this project's Biome configuration. */
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

describe('the lint rules', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lint-rules-'));
  const CONFIG = 'lib/platform/config/config.ts';
  const [ENVIRONMENT, CONSOLE] = ['export const a = process.env.A;\n', "console.log('a');\n"];
  let faultsOf: (file: string, source: string) => string[];

  beforeAll(() => {
    cpSync('biome.json', path.join(folder, 'biome.json'));
    const files = ['lib/keys/queries.ts', CONFIG, 'scripts/web.ts'].flatMap((file) => [
      { file, source: ENVIRONMENT },
      { file, source: CONSOLE },
    ]);
    faultsOf = lint(folder, files);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('let only the configuration read the environment', () => {
    expect(faultsOf('lib/keys/queries.ts', ENVIRONMENT)).toContain('lint/style/noProcessEnv');
    expect(faultsOf(CONFIG, ENVIRONMENT)).not.toContain('lint/style/noProcessEnv');
  });

  it('let only scripts write to the console', () => {
    expect(faultsOf('lib/keys/queries.ts', CONSOLE)).toContain('lint/suspicious/noConsole');
    expect(faultsOf('scripts/web.ts', CONSOLE)).not.toContain('lint/suspicious/noConsole');
  });
});
