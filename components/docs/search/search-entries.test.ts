import { expect, it } from 'vitest';
import type { DocsSection } from '@/components/docs/docs-sections';
import { findEntries, listSearchEntries } from './search-entries';

const SECTIONS: DocsSection[] = [
  {
    title: 'API',
    href: '/docs/api',
    groups: [
      {
        title: 'Projects',
        pages: [
          {
            title: 'API keys',
            href: '/docs/api/api-keys',
            entries: [
              {
                name: 'Rotate',
                title: 'Replace an API key',
                href: '/docs/api/api-keys#rotate',
                call: {
                  id: 'apiKeys.rotate',
                  method: 'POST',
                  path: '/api/v1/projects/{projectId}/api-keys/{apiKeyId}/rotate',
                },
              },
              {
                name: 'List',
                title: 'List the API keys of a project',
                href: '/docs/api/api-keys#list',
                call: { id: 'apiKeys.list', method: 'GET', path: '/api/v1/projects/{projectId}/api-keys' },
              },
            ],
          },
        ],
      },
    ],
  },
  { title: 'Errors', href: '/docs/errors', groups: [] },
];
const entries = listSearchEntries(SECTIONS);
const find = (typed: string) => findEntries(entries, typed).map(({ href }) => href);

it('finds pages and their entries', () => {
  expect(entries.map(({ href }) => href)).toEqual([
    '/docs/api/api-keys',
    '/docs/api/api-keys#rotate',
    '/docs/api/api-keys#list',
    '/docs/errors',
  ]);
});

it.each([
  ['a word of the summary', 'replace', ['/docs/api/api-keys#rotate']],
  ['a part of the path', '/rotate', ['/docs/api/api-keys#rotate']],
  ['the operation id', 'apikeys.list', ['/docs/api/api-keys#list']],
  ['the method and the tag', 'post keys', ['/docs/api/api-keys#rotate']],
  ['the title of a section', 'err', ['/docs/errors']],
  ['nothing', '  ', []],
  ['what does not exist', 'webhook flux', []],
])('finds %s', (_, typed, found) => {
  expect(find(typed)).toEqual(found);
});

it('lists matches of titles before matches of paths', () => {
  expect(find('list')).toEqual(['/docs/api/api-keys#list']);
  expect(find('project')[0]).toBe('/docs/api/api-keys#list');
  expect(find('project')).toHaveLength(2);
});

it('is bounded', () => {
  const many = Array.from({ length: 50 }, (_, index) => ({
    href: `/${index}`,
    title: 'Same',
    page: '',
    call: undefined,
  }));
  expect(findEntries(many, 'same')).toHaveLength(12);
});
