import type { ApiDocument } from '@/components/docs/api/document-types';
import { makeReference } from '@/components/docs/api/make-reference';
import type { Reference } from '@/components/docs/api/reference-types';
import { clientCallsOf } from '@/components/docs/api/samples/client-calls';
import { readDocument } from '@/lib/api/openapi/document-file';
import type { Api } from '@/lib/client/api';
import { createResources } from '@/lib/client/resources/create-resources';
import { once } from '@/lib/platform/globals';

/** Returns the pages of the API reference, made once in a process. */
export function loadReference(): Promise<Reference> {
  return once('api-reference', () => ({
    reference: readDocument().then(({ content }) => parseReference(content.toString())),
  })).reference;
}

function parseReference(text: string): Reference {
  const clientCalls = clientCallsOf((api) => createResources(api as unknown as Api));
  return makeReference(JSON.parse(text) as ApiDocument, clientCalls);
}
