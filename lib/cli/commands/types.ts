import { CliError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { readObjectText } from '@/lib/cli/input/read-input';
import { flag } from '@/lib/cli/options';
import { type Column, columns } from '@/lib/cli/output/column';
import { indentJson } from '@/lib/cli/output/format-body';
import { optionsFrom, route } from '@/lib/cli/routes/route-command';
import { command, type GroupSpec } from '@/lib/cli/spec';
import { MAX_RESPONSE_BYTES, readText } from '@/lib/client/read-response';
import type { CatalogueType, EventTypeImport } from '@/lib/events/schema';
import { escapeUnsafe } from '@/lib/platform/terminal/sanitize';

const LISTED = columns<CatalogueType>(
  'name',
  { header: 'STATUS', value: ({ status }) => status, kind: 'state' },
  'group',
  { header: 'SCHEMA', value: ({ schema }) => (schema === null ? null : 'yes'), spare: 1 },
  { header: 'MISMATCHES', value: ({ mismatches }) => mismatches.count || null, spare: 1, isOptional: true },
  { header: 'LAST SENT', value: ({ lastSeenAt }) => lastSeenAt, kind: 'time', spare: 1 },
  'description:2',
);

const BREAKING: Column<EventTypeImport['breaking'][number]>[] = columns<EventTypeImport['breaking'][number]>(
  { header: 'TYPE', value: ({ name }) => name },
  'path',
  { header: 'CHANGE', value: ({ message }) => message },
);

const FILE = { description: 'OpenAPI 3.1 document with `webhooks`, as JSON; `-` for standard input' };

/** Sends a document as it is: reading and writing it would round large numbers. */
async function importDocument(context: Context, file: string, isDryRun: boolean): Promise<EventTypeImport> {
  const { client, terminal } = context;
  const described = { option: file, what: 'the document' };
  const document = await readObjectText(terminal, file === '-' ? '-' : `@${file}`, described);
  return client.eventTypes.importDocument(`{"document":${document},"dryRun":${isDryRun}}` as never);
}

function summaryOf({ created, updated, unchanged }: EventTypeImport): string {
  return `${created.length} new, ${updated.length} changed, ${unchanged.length} unchanged.`;
}

export const types: GroupSpec = {
  summary: 'Keep the catalogue of what you send: descriptions, schemas and examples.',
  commands: {
    list: route('eventTypes.list', {
      summary: 'List event types by name: those of the catalogue, and those that were sent.',
      columns: LISTED,
      empty: 'No event types match. Define one: eds types create <name>',
      examples: {
        'types list': 'List all event types.',
        'types list --status seen': 'List those that were sent and are not defined.',
      },
    }),
    import: command({
      operations: ['eventTypes.importDocument'],
      summary: 'Define the webhooks of an OpenAPI document as event types: all of them, or none.',
      args: { file: FILE },
      options: { dryRun: flag('--dry-run', 'say what would change, and change nothing') },
      examples: {
        'types import webhooks.json --dry-run': 'See what an import would change.',
        'types import webhooks.json': 'Keep the catalogue as a file in your repository describes it.',
      },
      run: async (context, { args: { file }, options: { dryRun } }) => {
        const { out } = context;
        const result = await importDocument(context, file, dryRun);
        if (!out.isJson) out.table('BREAKS RECEIVERS', 'breaking', result.breaking, BREAKING);
        out.done(result, `${dryRun ? 'Would import' : 'Imported'} the document: ${summaryOf(result)}`);
      },
    }),
    export: command({
      operations: ['eventTypes.exportDocument'],
      summary: 'Write the catalogue as an OpenAPI 3.1 document for those who receive the events.',
      options: optionsFrom('eventTypes.exportDocument', 'group'),
      examples: {
        'types export > webhooks.json': 'Save the catalogue to a file.',
        'types export --group Orders': 'Write a part of it.',
      },
      run: async (context, { options: { group } }) => {
        const path = '/api/v1/projects/{projectId}/event-types/openapi.json';
        const parts = { ids: { projectId: await context.projectId() }, query: { group } };
        const text = await readText(await context.api('person').download(path, parts), MAX_RESPONSE_BYTES);
        if (text === null) throw new CliError('The document is too large, or not UTF-8.', 'unexpected_response');
        if (context.out.isJson) context.out.json(text);
        // Names and schemas are written by others, and a terminal might obey them.
        else context.out.text(escapeUnsafe(indentJson(text)));
      },
    }),
    check: command({
      summary: 'Say whether a document would break who receives the events. Exit 1 if it would.',
      details:
        'For a build pipeline. What breaks: a field that is removed, has another type, is newly required, or is no longer always there. Nothing is changed.',
      args: { file: FILE },
      examples: { 'types check webhooks.json': 'Check a change before it is imported.' },
      run: async (context, { args: { file } }) => {
        const { out } = context;
        const result = await importDocument(context, file, true);
        const { breaking } = result;
        if (breaking.length === 0) return out.done(result, `Nothing breaks receivers: ${summaryOf(result)}`);
        if (out.isJson) out.value(result, '');
        else out.table('BREAKS RECEIVERS', 'breaking', breaking, BREAKING);
        const what = breaking.length === 1 ? '1 change breaks' : `${breaking.length} changes break`;
        throw new CliError(`${what} what endpoints receive.`, 'breaking_changes', {
          next: 'Keep the fields, or define another event type and deprecate this one.',
        });
      },
    }),
  },
};
