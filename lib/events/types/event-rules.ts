import { LRUCache } from 'lru-cache';
import type { EventTypePolicy } from '@/lib/orgs/schema';
import { inShareOfProject, ownerOfProject } from '@/lib/orgs/tenant';
import { SECOND_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { AppError, type FieldFault } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { inPlace } from './check-places';
import { findRule } from './event-types-sql';
import { countNodes, readSchema, type SchemaNode } from './json-schema';
import { findMismatches, inTurnOfOwner } from './run-check';

/** What a project does with events of a type. */
interface Rule {
  policy: EventTypePolicy;
  isDefined: boolean;
  schema: { text: string; node: SchemaNode; bytes: number } | null;
}

/** How an event differs from the catalogue of its project. */
export interface EventVerdict {
  policy: EventTypePolicy;
  isDefined: boolean;
  errors: FieldFault[];
}

/** Half of the time within which a change takes effect (docs/specification.md#event-types). */
const CACHE_MS = 5 * SECOND_MS;
const MAX_RULES = 10_000;
/** A schema that is read takes about so many times the bytes of its text, and so many for each schema in it, which may be two characters. */
const READ_FACTOR = 20;
const NODE_BYTES = 1_000;
const RULE_BYTES = 500;
const MAX_RULES_BYTES = 64 * 1024 * 1024;
const MAX_PROJECTS = 10_000;

const rules = () =>
  once(
    'event-rules',
    () =>
      new LRUCache<string, Rule>({
        max: MAX_RULES,
        maxSize: MAX_RULES_BYTES,
        sizeCalculation: ({ schema }) => RULE_BYTES + (schema?.bytes ?? 0),
        ttl: CACHE_MS,
        fetchMethod: async (key, known) => {
          const at = key.indexOf(':');
          const [project, name] = [key.slice(0, at), key.slice(at + 1)];
          return inPlace('schema', await ownerOfProject(project), () => readRule(project, name, known));
        },
      }),
  );

/** The projects that check their events, as far as this process knows. Others cost no lookup. */
const checking = () => once('checking-projects', () => new LRUCache<string, true>({ max: MAX_PROJECTS }));

/** Whether a project checks its events, as far as this process knows. */
export function mayCheckEvents(projectId: string): boolean {
  return checking().has(projectId);
}

/**
 * Compares an event with the catalogue of its project.
 * @param isNew whether the project checks its events, although this process did not know it
 * @throws AppError rate_limited, or overloaded, when too much waits to be checked
 */
export async function checkEvent(
  projectId: string,
  { type, payload }: { type: string; payload: string },
  isNew = false,
): Promise<EventVerdict> {
  const key = `${projectId}:${type}`;
  const rule = await rules().fetch(key, { forceRefresh: isNew });
  if (rule === undefined || rule.policy === 'OPEN') {
    checking().delete(projectId);
    return { policy: 'OPEN', isDefined: true, errors: [] };
  }
  checking().set(projectId, true);
  const { policy, isDefined, schema } = rule;
  if (schema === null) return { policy, isDefined, errors: [] };
  return {
    policy,
    isDefined,
    errors: await findMismatches(await ownerOfProject(projectId), schema.node, payload, 'data'),
  };
}

async function readRule(project: string, name: string, known: Rule | undefined): Promise<Rule | undefined> {
  const row = await inShareOfProject(project, () => findRule.first(database(), { project, name }));
  if (row === undefined) return undefined;
  const { policy, is_defined: isDefined, schema: text } = row;
  if (text === null) return { policy, isDefined, schema: null };
  if (known?.schema?.text === text) return { policy, isDefined, schema: known.schema };
  // A large one takes some milliseconds.
  const node = await inTurnOfOwner(await ownerOfProject(project), () => readSchema(text, true));
  return {
    policy,
    isDefined,
    schema: { text, node, bytes: READ_FACTOR * text.length + NODE_BYTES * countNodes(node) },
  };
}

/** Whether an event may be stored: always, unless the project is strict. */
export function isAllowed({ policy, isDefined, errors }: EventVerdict): boolean {
  return policy !== 'STRICT' || (isDefined && errors.length === 0);
}

/** The error for an event that a strict project does not store. */
export function refusalOf({ isDefined, errors }: EventVerdict): AppError {
  if (!isDefined) {
    const message = 'is not a type of the catalogue of this project';
    const detail = 'This project stores only events of the types that it defines. Define the type, or correct it.';
    return new AppError('unknown_event_type', detail, { errors: [{ path: 'type', message }] });
  }
  const [first] = errors;
  return new AppError('schema_mismatch', `${first?.path}: ${first?.message}`, { errors });
}
