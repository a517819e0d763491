import type { ProjectCaller } from '@/lib/audit/caller';
import { CreateEventTypeBody, type EventTypeImport } from '@/lib/events/schema';
import { lockProject } from '@/lib/orgs/projects';
import { inThreadTurnOfProject, mapInTurns } from '@/lib/orgs/tenant';
import { database, type Sql } from '@/lib/platform/db';
import { AppError, type FieldFault, fieldError } from '@/lib/platform/errors';
import { refuseBeyondLimit } from '@/lib/platform/limits';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { findBreakingChanges, MAX_WORK_OF_IMPORT } from './breaking-changes-policy';
import { MAX_STEPS_OF_IMPORT } from './check-json';
import { insertType, type TypeDefinition, updateType } from './event-types';
import { countTypesAmong, DEFINITIONS_AT_ONCE, findDefinedTypes } from './event-types-sql';
import { shortName } from './json-schema';
import { DocumentFault } from './openapi-reader';
import { type DescribedType, describeWebhook, openDocument } from './read-openapi';
import { findTypeFaults } from './refuse-type-fault';
import { inSlices } from './run-check';
import { MAX_CATALOGUE_BYTES } from './write-openapi';

const MAX_ERRORS = 50;
const TOO_LARGE =
  'is where the schemas and examples become too large for one import, of 8 MiB; import the webhooks in several documents';
const TOO_MUCH_WORK =
  'has examples that take too much work to be checked; simplify their schemas, or import the webhooks in several documents';
/** More of them help nobody. */
const MAX_BREAKING = 200;

/**
 * Defines the webhooks of an OpenAPI document as event types: all of them, or none. What the document does not say of a type stays,
 * except an example that does not satisfy the new schema.
 * @param document its JSON
 * @param isDryRun whether to change nothing
 * @throws AppError validation_failed with the places of what is wrong; limit_reached; rate_limited when much of the owner waits
 */
export async function importEventTypes(
  caller: ProjectCaller,
  projectId: string,
  document: string,
  isDryRun: boolean,
): Promise<EventTypeImport> {
  const { types, errors } = await readTypes(caller, projectId, document);
  const plan = emptyPlan();
  const breaking: EventTypeImport['breaking'] = [];
  const checks = { left: MAX_STEPS_OF_IMPORT };
  const comparisons = { left: MAX_WORK_OF_IMPORT };
  for await (const [type, known] of withDefinitions(database(), projectId, types)) {
    if (errors.length >= MAX_ERRORS) break;
    errors.push(...(await faultsOf(caller, projectId, type, known, checks)));
    if (checks.left < 0) throw fieldError('document', TOO_MUCH_WORK);
    if (errors.length > 0) continue;
    const isCompared = breaking.length < MAX_BREAKING && comparisons.left > 0;
    if (isCompared) breaking.push(...(await breakingOf(caller, projectId, type, known, comparisons)));
    addToPlan(plan, type, known);
  }
  const [first] = errors;
  if (first !== undefined) {
    const detail = `${first.path}: ${first.message}`;
    throw new AppError('validation_failed', detail, { errors: errors.slice(0, MAX_ERRORS) });
  }
  breaking.splice(MAX_BREAKING);
  if (isDryRun) return { dryRun: true, ...plan, breaking };
  return inTransaction(async (tx) => {
    await lockProject(tx, projectId);
    return { dryRun: false, ...(await store(tx, caller, projectId, types)), breaking };
  });
}

/** Reads the types of a document, and what is wrong with others, at places such as `document.webhooks.order.paid`. */
async function readTypes(caller: ProjectCaller, projectId: string, document: string) {
  const { reader, webhooks } = await inThreadTurnOfProject(caller, projectId, () => openDocument(document));
  refuseBeyondLimit('PROJECT_MAX_EVENT_TYPES', webhooks.length - 1);
  const types: DescribedType[] = [];
  const errors: FieldFault[] = [];
  let bytes = 0;
  await mapInTurns(caller, projectId, webhooks, ([name, webhook]) => {
    if (errors.length >= MAX_ERRORS) return;
    try {
      const type = describeWebhook(reader, name, webhook);
      refuseImpossible(type);
      bytes += (type.schema?.length ?? 0) + (type.example?.length ?? 0);
      if (bytes > MAX_CATALOGUE_BYTES) throw new DocumentFault(TOO_LARGE);
      types.push(type);
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      errors.push({ path: `document.webhooks.${shortName(name)}`, message: error.message });
    }
  });
  return { types, errors };
}

/** The rules of what a request says of a type: a document has them all. */
const Described = CreateEventTypeBody.pick({ name: true, description: true, group: true });

/** @throws DocumentFault */
function refuseImpossible({ name, description, group }: DescribedType): void {
  const [issue] = Described.safeParse({ name, description, group }).error?.issues ?? [];
  if (issue !== undefined) throw new DocumentFault(`its ${String(issue.path[0])} ${issue.message}`);
}

type StoredDefinition = { id: string; group_name: string | null } & Omit<TypeDefinition, 'group'>;

/** Returns types one by one with what is stored of them: all definitions of a catalogue at once may take 256 MiB. */
async function* withDefinitions(
  sql: Sql,
  projectId: string,
  types: readonly DescribedType[],
): AsyncGenerator<[DescribedType, StoredDefinition | undefined]> {
  for (let start = 0; start < types.length; start += DEFINITIONS_AT_ONCE) {
    const some = types.slice(start, start + DEFINITIONS_AT_ONCE);
    const rows = await findDefinedTypes.all(sql, { project: projectId, names: some.map(({ name }) => name) });
    const known = new Map(rows.map((row) => [row.name, row]));
    for (const type of some) yield [type, known.get(type.name)];
  }
}

async function faultsOf(
  caller: ProjectCaller,
  projectId: string,
  type: DescribedType,
  known: StoredDefinition | undefined,
  checks: { left: number },
): Promise<FieldFault[]> {
  const texts = { schema: known?.schema, example: known?.example, ...type };
  const faults = await findTypeFaults(caller, projectId, texts, checks);
  if (type.example === undefined && faults.some(({ path }) => path.startsWith('example'))) {
    // Of another schema, which the document replaces.
    type.example = null;
    return [];
  }
  return faults.map(({ path, message }) => ({ path: `document.webhooks.${type.name}.${path}`, message }));
}

const NOTHING = { description: null, group: null, status: 'ACTIVE' as const, schema: null, example: null };

/** The fields of a type that differ from what is stored. */
function changesOf(type: DescribedType, { group_name: group, ...known }: StoredDefinition): Partial<TypeDefinition> {
  const before: Record<string, unknown> = { ...known, group };
  return Object.fromEntries(Object.entries(type).filter(([name, value]) => before[name] !== value));
}

/** A comparison of schemas whose references multiply takes the thread for 100 ms. */
async function breakingOf(
  caller: ProjectCaller,
  projectId: string,
  { name, schema: after }: DescribedType,
  known: StoredDefinition | undefined,
  comparisons: { left: number },
) {
  const before = known?.schema;
  if (before == null || after === undefined || before === after) return [];
  const changes = await inSlices(
    (work) => inThreadTurnOfProject(caller, projectId, work),
    () => findBreakingChanges(JSON.parse(before), JSON.parse(after), comparisons),
  );
  return changes.map((change) => ({ name, ...change }));
}

type Plan = Omit<EventTypeImport, 'dryRun' | 'breaking'>;

const emptyPlan = (): Plan => ({ created: [], updated: [], unchanged: [] });

function addToPlan(plan: Plan, type: DescribedType, known: StoredDefinition | undefined): void {
  if (known === undefined) plan.created.push(type.name);
  else (Object.keys(changesOf(type, known)).length > 0 ? plan.updated : plan.unchanged).push(type.name);
}

/** Stores types as they differ from what is stored now. The project is locked. */
async function store(
  tx: Sql,
  caller: ProjectCaller,
  projectId: string,
  types: readonly DescribedType[],
): Promise<Plan> {
  const names = types.map(({ name }) => name);
  const { count, known } = await countTypesAmong.one(tx, { project: projectId, names });
  if (known < types.length) refuseBeyondLimit('PROJECT_MAX_EVENT_TYPES', count - known + types.length - 1);
  const plan = emptyPlan();
  for await (const [type, row] of withDefinitions(tx, projectId, types)) {
    addToPlan(plan, type, row);
    if (row === undefined) await insertType(tx, caller, projectId, { ...NOTHING, ...type });
    else await updateType(tx, caller, projectId, row, changesOf(type, row));
  }
  return plan;
}
