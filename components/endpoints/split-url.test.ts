import { expect, it } from 'vitest';
import { splitUrl } from './split-url';

it('splits a URL into its origin and what tells it from others of that origin', () => {
  expect(splitUrl('http://127.0.0.1:4747/legacy-erp?v=1')).toEqual({
    origin: 'http://127.0.0.1:4747',
    path: '/legacy-erp?v=1',
  });
  expect(splitUrl('https://hooks.example.com/')).toEqual({ origin: 'https://hooks.example.com', path: '/' });
  expect(splitUrl('https://hooks.example.com')).toEqual({ origin: 'https://hooks.example.com', path: '' });
  expect(splitUrl('unreadable')).toEqual({ origin: 'unreadable', path: '' });
});
