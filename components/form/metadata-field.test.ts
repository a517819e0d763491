import { expect, it } from 'vitest';
import { metadataText, parseMetadata } from './metadata-field';

it('reads metadata as an object of texts', () => {
  expect(parseMetadata('{"plan": "enterprise"}')).toEqual({ plan: 'enterprise' });
  expect(parseMetadata(' ')).toEqual({});
  for (const text of ['{', '[]', 'null', '{"a": 1}']) expect(parseMetadata(text)).toBeNull();
});

it('shows metadata as text that reads as the same, and nothing for none', () => {
  expect(parseMetadata(metadataText({ plan: 'enterprise', region: 'eu' }))).toEqual({
    plan: 'enterprise',
    region: 'eu',
  });
  expect(metadataText({})).toBe('');
});
