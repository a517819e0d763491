import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { VARIABLES } from '@/lib/platform/config/variables';

/** Renders the configuration table from the code. */
function variablesTable(): string {
  const rows = Object.entries(VARIABLES).map(([name, { default: byDefault, about }]) => {
    const shown = byDefault === '' ? 'unset' : `\`${byDefault}\``;
    return `| \`${name}\` | ${shown} | ${about} |`;
  });
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

it('the guide to configuration lists every variable with its default and meaning from the code', () => {
  const guide = readFileSync('docs/guides/configuration.md', 'utf8');
  const [, table = ''] = /\n## Variables\n\n([\s\S]*?)\n\n## /.exec(guide) ?? [];
  expect(table).toBe(variablesTable());
});

describe('README.md', () => {
  const readme = readFileSync('README.md', 'utf8');

  it('links to every guide', () => {
    const guides = readdirSync('docs/guides').filter((name) => !readme.includes(`(docs/guides/${name})`));
    expect(guides).toEqual([]);
  });

  it('names only scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/`npm run ([a-z:]+)/g)].map((match) => match[1]);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => scripts[name ?? ''] === undefined)).toEqual([]);
  });

  it('lists only files and folders that exist', () => {
    const paths = [...readme.matchAll(/^\| `([a-z][\w/.-]*)`/gm)].map((match) => match[1] ?? '');
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});
