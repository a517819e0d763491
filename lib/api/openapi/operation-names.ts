import { resources } from '@/lib/api/table';
import type { RouteDefinition } from '@/lib/http/route';

/** Where a route is declared. The method of the client has the same name. */
export interface OperationName {
  /** Such as `apiKeys`. */
  resource: string;
  /** Such as `create`. */
  method: string;
}

const NAMES = new Map<unknown, OperationName>(
  Object.entries(resources).flatMap(([resource, routes]) =>
    Object.entries(routes).map(([method, definition]) => [definition, { resource, method }] as const),
  ),
);

/** Returns the name under which a route is declared. @throws Error when no module of the table declares it */
export function operationNameOf(definition: RouteDefinition): OperationName {
  const name = NAMES.get(definition);
  if (name === undefined) throw new Error(`no module of lib/api/table.ts declares: ${definition.summary}`);
  return name;
}
