import type { ProjectCaller } from '@/lib/audit/caller';
import { readNewestEvents } from '@/lib/events/queries';
import type { ExportEventTypesQuery, InferredSchema } from '@/lib/events/schema';
import { getProject } from '@/lib/orgs/projects';
import { inThreadTurnOfProject, mapInTurns } from '@/lib/orgs/tenant';
import { readHeavily } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { getEventType, type TypePath } from './event-types';
import { DEFINITIONS_AT_ONCE, selectDefinedTypes } from './event-types-sql';
import { SchemaInference } from './infer-schema';
import { joinOpenApi, MAX_CATALOGUE_BYTES, type TypePart, writeType } from './write-openapi';

/** Events that a proposal is made from. */
const MAX_EVENTS = 100;

/**
 * Returns the JSON of the OpenAPI document of the types of a catalogue.
 * @throws AppError conflict when it is too large; rate_limited when much of the owner waits; overloaded when much of others does
 */
export function exportEventTypes(
  caller: ProjectCaller,
  projectId: string,
  query: ExportEventTypesQuery,
): Promise<Buffer> {
  return readHeavily(() => writeDocument(caller, projectId, query), 'catalogue');
}

async function writeDocument(caller: ProjectCaller, projectId: string, { group }: ExportEventTypesQuery) {
  const { name, portal } = await getProject(caller, projectId);
  const parts: TypePart[] = [];
  let bytes = 0;
  let newest = new Date(0);
  for (let after = ''; ; ) {
    const rows = await selectDefinedTypes.all(database(), {
      project: projectId,
      group: group ?? null,
      after,
      limit: DEFINITIONS_AT_ONCE,
    });
    for (const { updated_at } of rows) if (updated_at > newest) newest = updated_at;
    await mapInTurns(caller, projectId, rows, (row) => {
      const part = writeType({ ...row, group: row.group_name });
      bytes += part.webhook.length + (part.schema?.length ?? 0);
      if (bytes > MAX_CATALOGUE_BYTES) {
        const detail = 'The catalogue is too large for one document. Export its groups one by one, with ?group=.';
        throw new AppError('conflict', detail);
      }
      parts.push(part);
    });
    const last = rows.at(-1);
    if (last === undefined || rows.length < DEFINITIONS_AT_ONCE) break;
    after = last.name;
  }
  const title = `Webhooks of ${portal.name ?? name}`;
  const version = newest.toISOString().slice(0, 10);
  return inThreadTurnOfProject(caller, projectId, () => joinOpenApi(title, version, parts));
}

/** Proposes a schema from the newest events of a type, and saves nothing. @throws AppError not_found; rate_limited when much of the owner waits */
export async function inferSchema(caller: ProjectCaller, { projectId, name }: TypePath): Promise<InferredSchema> {
  await getEventType({ projectId, name });
  const events = await readNewestEvents(projectId, [name], MAX_EVENTS);
  const inference = new SchemaInference();
  await mapInTurns(caller, projectId, events, ({ payload }) => inference.add(payload));
  return { schema: events.length === 0 ? null : inference.propose(), eventCount: events.length };
}
