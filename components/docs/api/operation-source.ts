import type { DocumentOperation } from './document-types';
import type { ClientCall } from './samples/sample-request';

/** An operation of the document, with the method of the TypeScript client that calls it; null without one. */
export interface OperationSource {
  method: string;
  path: string;
  operation: DocumentOperation;
  client: ClientCall | null;
}
