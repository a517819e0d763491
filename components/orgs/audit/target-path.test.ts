import { expect, it } from 'vitest';
import { targetPath } from './target-path';

const entry = (type: string, exists = true, details: Record<string, unknown> = { projectId: 'p1' }) => ({
  target: { type, id: 't1', exists },
  details,
});

it('opens the target, or the list that it is in', () => {
  expect(targetPath(entry('project', true, {}))).toBe('/projects/t1');
  expect(targetPath(entry('endpoint'))).toBe('/projects/p1/endpoints/t1');
  expect(targetPath(entry('tunnel'))).toBe('/projects/p1/tunnels/t1');
  expect(targetPath(entry('api_key'))).toBe('/projects/p1/keys');
  expect(targetPath(entry('destination', true, { projectId: 'p1', sourceId: 's1' }))).toBe('/projects/p1/sources/s1');
});

it('opens nothing that is gone, has no page or lacks its project', () => {
  expect(targetPath(entry('endpoint', false))).toBeNull();
  expect(targetPath(entry('session'))).toBeNull();
  expect(targetPath(entry('destination'))).toBeNull();
  expect(targetPath(entry('source', true, {}))).toBeNull();
});
