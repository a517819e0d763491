import { expect, it } from 'vitest';
import type { DocsSection } from '@/components/docs/docs-sections';
import { findEntries, listSearchEntries, makeIndex, readIndex } from './search-index';

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
const TEXTS = new Map([['/docs/errors', 'A signature that does not match.']]);
const entries = listSearchEntries(SECTIONS);
const index = makeIndex(entries, TEXTS);
const find = (typed: string) => findEntries(index, typed, 12).map(({ href }) => href);

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
  ['an unfinished word', 'err', ['/docs/errors']],
  ['a misspelled word', 'repace', ['/docs/api/api-keys#rotate']],
  ['another form of a word of the text', 'why are signatures not matching', ['/docs/errors']],
  ['what has some of the words when nothing has all', 'signature flux', ['/docs/errors']],
  ['nothing', '  ', []],
  ['nothing for words of any question', 'how do I', []],
  ['what does not exist', 'blorp flux', []],
])('finds %s', (_, typed, found) => {
  expect(find(typed)).toEqual(found);
});

it('lists matches of titles before matches of paths', () => {
  expect(find('list')).toEqual(['/docs/api/api-keys#list']);
  expect(find('project')[0]).toBe('/docs/api/api-keys#list');
  expect(find('project')).toHaveLength(2);
});

it('finds the same once written and read', () => {
  const read = readIndex(JSON.stringify(index));
  for (const typed of ['replace', 'match signature']) {
    expect(findEntries(read, typed, 12)).toEqual(findEntries(index, typed, 12));
  }
  expect(findEntries(read, 'apikeys.list', 1)[0]?.call?.method).toBe('GET');
});

it('looks for eight words, whatever separates them', () => {
  const index = makeIndex([{ href: '/a', title: 'Nine', page: '', call: undefined }], new Map());
  for (const separator of [' ', '.', ' / ']) {
    const words = (count: number) => [...Array<string>(count).fill('other'), 'nine'].join(separator);
    expect(findEntries(index, words(7), 1)).toHaveLength(1);
    expect(findEntries(index, words(8), 1)).toHaveLength(0);
  }
});

it('is bounded', () => {
  const many = Array.from({ length: 50 }, (_, at) => ({ href: `/${at}`, title: 'Same', page: '', call: undefined }));
  expect(findEntries(makeIndex(many, new Map()), 'same '.repeat(1000), 12)).toHaveLength(12);
});
