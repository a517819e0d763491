import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
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

it('README.md links to every guide', () => {
  const readme = readFileSync('README.md', 'utf8');
  const guides = readdirSync('docs/guides').filter((name) => !readme.includes(`(docs/guides/${name})`));
  expect(guides).toEqual([]);
});
