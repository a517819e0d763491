import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GUIDE_GROUPS, resolveGuideLink } from './guide-groups';

it('lists every guide of the folder once, except that of the command line, which has its own section', () => {
  const files = readdirSync('docs/guides').map((name) => name.replace(/\.md$/, ''));
  const listed = GUIDE_GROUPS.flatMap(({ slugs }) => slugs);
  expect([...listed, 'command-line'].sort()).toEqual(files.sort());
});

it.each([
  ['backup.md', { page: '/docs/guides/backup' }],
  ['backup.md#restore', { page: '/docs/guides/backup#restore' }],
  ['command-line.md#install', { page: '/docs/cli#install' }],
  ['../api.md#errors', { page: '/docs/api#errors' }],
  ['../../lib/client/README.md', { page: '/docs/client' }],
  ['../decisions/051-expand-then-contract.md', { file: 'docs/decisions/051-expand-then-contract.md' }],
  ['../../deploy/compose.yaml', { file: 'deploy/compose.yaml' }],
])('the link %s of a guide leads to %o', (href, target) => {
  expect(resolveGuideLink(href)).toEqual(target);
});
