import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { KubernetesObject } from './chart';

const SCHEMAS = JSON.parse(readFileSync('tests/deploy/kubernetes-schemas.json', 'utf8')) as {
  kinds: Record<string, string>;
  $defs: Record<string, object>;
};
const compiled = new Map<string, z.ZodType>();

/** Returns what the schema of its kind finds wrong with an object of Kubernetes, unknown fields too; null when it is valid. */
export function findSchemaFault(object: KubernetesObject): string | null {
  const kind = `${object.apiVersion} ${object.kind}`;
  const definition = SCHEMAS.kinds[kind];
  if (definition === undefined) return `there is no schema of ${kind}`;
  const schema =
    compiled.get(kind) ??
    z.fromJSONSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $ref: `#/$defs/${definition}`,
      $defs: SCHEMAS.$defs as never,
    });
  compiled.set(kind, schema);
  const { error } = schema.safeParse(object);
  return error === undefined ? null : `${kind} ${object.metadata.name}: ${z.prettifyError(error)}`;
}
