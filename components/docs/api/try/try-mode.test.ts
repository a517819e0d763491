import { expect, it } from 'vitest';
import type { ApiDocument } from '@/components/docs/api/document-types';
import { makeReference } from '@/components/docs/api/make-reference';
import { openApiDocument } from '@/lib/api/openapi/document';
import { tryModeOf } from './try-mode';

const operations = makeReference(openApiDocument() as unknown as ApiDocument, {}).groups.flatMap(({ pages }) =>
  pages.flatMap((page) => page.operations),
);
const modeOf = (id: string) => {
  const operation = operations.find((each) => each.id === id);
  return operation === undefined ? undefined : tryModeOf(operation);
};

it('sends what a person may read, and what anyone may', () => {
  expect(modeOf('events.list')).toEqual({ kind: 'person' });
  expect(modeOf('organizations.list')).toEqual({ kind: 'person' });
  expect(modeOf('operations.ready')).toEqual({ kind: 'anyone' });
});

it('names the credential that a page lacks', () => {
  expect(modeOf('apiKeys.getOwn')).toEqual({ kind: 'other-credential', needs: 'API key' });
  expect(modeOf('admin.getStats')).toEqual({ kind: 'other-credential', needs: 'Operator token' });
});

it('never sends what changes something, leads elsewhere or is no response for a page', () => {
  for (const operation of operations) {
    if (operation.method !== 'GET') expect(tryModeOf(operation), operation.id).toEqual({ kind: 'never' });
  }
  expect(modeOf('identityProvider.start')).toEqual({ kind: 'never' });
  expect(modeOf('tunnelConnection.connect')).toEqual({ kind: 'never' });
});
