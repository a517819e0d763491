import type { ProjectCaller } from '@/lib/audit/caller';
import { readNewestEvents } from '@/lib/events/queries';
import type { EventTypeDocument, ExportEventTypesQuery, InferredSchema } from '@/lib/events/schema';
import { getProject } from '@/lib/orgs/projects';
import { inThreadTurnOfProject, mapInTurns } from '@/lib/orgs/tenant';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { getEventType, type TypeDefinition, type TypePath } from './event-types';
import { selectDefinedTypes } from './event-types-sql';
import { SchemaInference } from './infer-schema';
import { writeOpenApi } from './write-openapi';

const PAGE_ROWS = 50;
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;
/** Events that a proposal is made from. */
const MAX_EVENTS = 100;

/**
 * Returns the OpenAPI document of the types of a catalogue.
 * @throws AppError conflict when it is too large
 */
export async function exportEventTypes(
  caller: ProjectCaller,
  projectId: string,
  { group }: ExportEventTypesQuery,
): Promise<EventTypeDocument> {
  const { name, portal } = await getProject(caller, projectId);
  const types: TypeDefinition[] = [];
  let bytes = 0;
  let newest = new Date(0);
  for (let after = ''; ; after = types.at(-1)?.name ?? '') {
    const rows = await selectDefinedTypes.all(database(), {
      project: projectId,
      group: group ?? null,
      after,
      limit: PAGE_ROWS,
    });
    for (const { group_name, updated_at, ...row } of rows) {
      types.push({ ...row, group: group_name });
      bytes += (row.schema?.length ?? 0) + (row.example?.length ?? 0);
      if (updated_at > newest) newest = updated_at;
    }
    if (bytes > MAX_DOCUMENT_BYTES) {
      throw new AppError(
        'conflict',
        'The catalogue is too large for one document. Export its groups one by one, with ?group=.',
      );
    }
    if (rows.length < PAGE_ROWS) break;
  }
  const title = `Webhooks of ${portal.name ?? name}`;
  const version = newest.toISOString().slice(0, 10);
  return inThreadTurnOfProject(caller, projectId, () => writeOpenApi(title, version, types));
}

/** Proposes a schema from the newest events of a type, and saves nothing. @throws AppError not_found; rate_limited when much of the owner waits */
export async function inferSchema(caller: ProjectCaller, { projectId, name }: TypePath): Promise<InferredSchema> {
  await getEventType({ projectId, name });
  const events = await readNewestEvents(projectId, [name], MAX_EVENTS);
  const inference = new SchemaInference();
  await mapInTurns(caller, projectId, events, ({ payload }) => inference.add(payload));
  return { schema: events.length === 0 ? null : inference.propose(), eventCount: events.length };
}
