import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { PAGE_PICTURES, pathOf } from './pages';

const files = fs
  .readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'page.tsx');

it('every page has a picture, or is named as having none', () => {
  const routes = files.map((file) => `/${path.posix.dirname(file)}`.replaceAll(/\/(?:\([^)]+\)|\.$)/g, '') || '/');
  expect(Object.keys(PAGE_PICTURES).sort()).toEqual(routes.sort());
});

it('fills the ids into a path, and refuses to open a page without one', () => {
  const picture = { name: 'event', visitor: 'person' } as const;
  const route = '/projects/[projectId]/events/[eventId]';
  expect(pathOf(route, picture, { projectId: 'p', eventId: 'e' })).toBe('/projects/p/events/e');
  expect(() => pathOf(route, picture, { projectId: 'p', eventId: '' })).toThrow('The demo has nothing for eventId');
});
