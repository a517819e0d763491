import type { ProjectCaller } from '@/lib/audit/caller';
import { MAX_EXAMPLE_BYTES, MAX_SCHEMA_BYTES } from '@/lib/events/schema';
import { inThreadTurnOfProject, ownerOfProject } from '@/lib/orgs/tenant';
import { AppError, type FieldFault } from '@/lib/platform/errors';
import { readSchema, SchemaFault, type SchemaNode } from './json-schema';
import { findMismatches } from './run-check';

interface Texts {
  schema?: string | null | undefined;
  example?: string | null | undefined;
}

/** Refuses a schema that cannot be checked, and an example that does not satisfy it. @throws AppError validation_failed */
export async function refuseTypeFault(caller: ProjectCaller, projectId: string, texts: Texts): Promise<void> {
  const errors = await findTypeFaults(caller, projectId, texts);
  const [first] = errors;
  if (first === undefined) return;
  throw new AppError('validation_failed', `${first.path}: ${first.message}`, { errors });
}

/**
 * Returns what is wrong with the schema and the example of a type, below `schema` and `example`.
 * @param budget what is left of the steps of several checks; it may become negative
 */
export async function findTypeFaults(
  caller: ProjectCaller,
  projectId: string,
  { schema = null, example = null }: Texts,
  budget?: { left: number },
): Promise<FieldFault[]> {
  if (schema !== null && Buffer.byteLength(schema) > MAX_SCHEMA_BYTES) {
    return [{ path: 'schema', message: 'must be at most 64 KiB' }];
  }
  if (example !== null && Buffer.byteLength(example) > MAX_EXAMPLE_BYTES) {
    return [{ path: 'example', message: 'must be at most 64 KiB' }];
  }
  if (schema === null) return [];
  const read = await inThreadTurnOfProject(caller, projectId, () => tryRead(schema));
  if ('fault' in read) return [read.fault];
  if (example === null) return [];
  return findMismatches(await ownerOfProject(projectId), read.node, example, 'example', budget);
}

function tryRead(schema: string): { node: SchemaNode } | { fault: FieldFault } {
  try {
    return { node: readSchema(schema) };
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    return { fault: { path: error.at === '' ? 'schema' : `schema.${error.at}`, message: error.message } };
  }
}
