import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FILES = ['app', 'components']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`))
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => ({ file, source: readFileSync(file, 'utf8') }));

it('no page loads next/link, which prefetches every visible link', () => {
  const importing = FILES.filter(({ source }) => source.includes("from 'next/link'"));
  expect(importing.map(({ file }) => file)).toEqual([]);
});

it('each primitive of Radix is imported by itself, so that a page loads no other', () => {
  const barrels = FILES.filter(({ source }) => /from 'radix-ui';/.test(source));
  expect(barrels.map(({ file }) => file)).toEqual([]);
});

it('what shows menus, dialogs and toasts is loaded only when it is needed', () => {
  const heavy = /^import (?!type)[^;]*from '(?:radix-ui\/(?:internal|dialog|alert-dialog|popover)|sonner|cmdk)';/m;
  const eager = FILES.filter(({ source }) => heavy.test(source)).map(({ file }) => file);
  expect(eager.sort()).toEqual([
    'components/shell/command-palette.tsx',
    'components/shell/palette-item.tsx',
    'components/ui/confirm-panel.tsx',
    'components/ui/dialog-panel.tsx',
    'components/ui/drawer-panel.tsx',
    'components/ui/select-list.tsx',
    'components/ui/toast-panel.tsx',
  ]);
});
