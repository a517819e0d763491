import { describeOperation } from './describe-operation';
import type { ApiDocument } from './document-types';
import type { Reference, ReferencePage } from './reference-types';
import type { ClientCall } from './samples/sample-request';
import { toSlug } from './to-slug';

/**
 * Turns the OpenAPI document into pages, one per tag.
 * @param clientCalls the methods of the TypeScript client, by operation
 */
export function makeReference(document: ApiDocument, clientCalls: Record<string, ClientCall>): Reference {
  const pages = new Map<string, ReferencePage>(
    document.tags.map(({ name, 'x-displayName': title, description }) => [
      name,
      { slug: toSlug(name), title, description, operations: [] },
    ]),
  );
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(operations)) {
      const client = clientCalls[operation.operationId] ?? null;
      const described = describeOperation({ method: verb.toUpperCase(), path, operation, client }, document.components);
      pages.get(operation.tags[0] ?? '')?.operations.push(described);
    }
  }
  const groups = document['x-tagGroups'].map(({ name, tags }) => ({
    title: name,
    pages: tags.flatMap((tag) => pages.get(tag) ?? []),
  }));
  return { version: document.info.version, groups };
}

/** Finds a page by the last part of its path. */
export function findPage({ groups }: Reference, slug: string): ReferencePage | undefined {
  return groups.flatMap(({ pages }) => pages).find((page) => page.slug === slug);
}
