import { isDeepStrictEqual } from 'node:util';
import type { Context } from '@/lib/cli/context';
import { type EventDeliveryClient, isApiError } from '@/lib/client';
import type { CatalogueType } from '@/lib/events/schema';
import { EVENT_TYPE } from '@/lib/events/type-pattern-policy';
import { Notes, type PlannedType } from './plan';
import { emptyRow, type Row, refused } from './report';
import { labelOf, quoted, recordOf, textOf, type Values } from './values';

const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_GROUP_CHARS = 100;
const INVALID = 400;
/** Deeper than any schema here; what is nested without end would take all of the stack. */
const MAX_LEVELS = 100;

/** Returns an event type of another service as it can be here. */
export function planType(
  name: unknown,
  { description, group, isDeprecated, schema }: Omit<Values, 'name'>,
): PlannedType {
  const notes = new Notes();
  const from = labelOf(name);
  const text = textOf(name);
  if (text === null || !EVENT_TYPE.test(text)) {
    notes.lose('its name can have letters, digits, dots, dashes and underscores only, and not be . or ..');
    return { from, fields: null, notes };
  }
  const fields = {
    name: text,
    description: cut(textOf(description), MAX_DESCRIPTION_CHARS, 'description', notes),
    group: cut(textOf(group)?.trim() || null, MAX_GROUP_CHARS, 'group', notes),
    status: isDeprecated === true ? ('DEPRECATED' as const) : ('ACTIVE' as const),
    schema: schemaOf(schema, notes),
  };
  return { from, fields, notes };
}

function cut(text: string | null, most: number, what: string, notes: Notes): string | null {
  if (text === null || text.length <= most) return text;
  notes.lose(`its ${what} is cut to ${most} characters`);
  return text.slice(0, most).toWellFormed();
}

/** Without the name of its dialect: what differs between dialects is refused by its keywords. */
function schemaOf(value: unknown, notes: Notes): Record<string, unknown> | null {
  const schema = recordOf(value);
  if (schema === null) return null;
  if (isDeeper(schema, MAX_LEVELS)) {
    notes.lose('its schema is left out: it is too deep');
    return null;
  }
  const { $schema: _, ...others } = schema;
  return Object.keys(others).length === 0 ? null : others;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** Makes the event types of another service. What is defined stays as it is, and what differs is named. */
export class TypeImporter {
  readonly #client: EventDeliveryClient;

  constructor(
    context: Context,
    private readonly isDryRun: boolean,
  ) {
    this.#client = context.client;
  }

  async take({ from, fields, notes }: PlannedType): Promise<Row> {
    const row = emptyRow('event type', from, fields?.name ?? null, notes.all);
    if (fields === null) return row;
    try {
      const here = await this.#find(fields.name);
      if (here !== null && here.status !== 'SEEN') {
        const names = ['description', 'group', 'status', 'schema'] as const;
        const differs = names.filter((name) => !isDeepStrictEqual(fields[name], here[name]));
        return { ...row, result: differs.length === 0 ? 'unchanged' : 'differs', differs };
      }
      try {
        await this.#make(fields);
      } catch (error) {
        if (fields.schema === null || !isApiError(error) || error.status !== INVALID) throw error;
        const [fault] = error.errors;
        notes.lose(`its schema is left out: ${quoted(`${fault?.path.replace(/^.*schema\./, '')} ${fault?.message}`)}`);
        await this.#make({ ...fields, schema: null });
      }
      return { ...row, result: 'made' };
    } catch (error) {
      return refused(row, error);
    }
  }

  async #find(name: string): Promise<CatalogueType | null> {
    try {
      return await this.#client.eventTypes.get(name);
    } catch (error) {
      if (isApiError(error, 'not_found')) return null;
      throw error;
    }
  }

  async #make(fields: NonNullable<PlannedType['fields']>): Promise<void> {
    if (!this.isDryRun) {
      await this.#client.eventTypes.create({ ...fields, schema: fields.schema ?? undefined });
      return;
    }
    // Says whether the schema can be taken over.
    const content = fields.schema === null ? {} : { 'application/json': { schema: fields.schema } };
    const webhooks = { [fields.name]: { post: { requestBody: { content } } } };
    await this.#client.eventTypes.importDocument({ document: { openapi: '3.1.0', webhooks }, dryRun: true });
  }
}
