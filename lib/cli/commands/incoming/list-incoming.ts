import { findSource } from '@/lib/cli/commands/sources/find-source';
import { choice, paging, text, time } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { INCOMING_COLUMNS } from './incoming-columns';

export const listIncoming = command({
  name: 'list',
  summary: 'List incoming events, newest first.',
  options: {
    source: text('--source <id|name>', 'only those of this source'),
    verified: choice('--verified <state>', 'only those with this signature; none: of sources without signatures', [
      'true',
      'false',
      'none',
    ]),
    from: time('--from <time>', 'not before this time'),
    to: time('--to <time>', 'not after this time'),
    ...paging,
  },
  examples: [
    { line: 'incoming list --source shop --from 2h', does: 'List what the source named shop took in lately.' },
    { line: 'incoming list --verified false', does: 'List requests whose signature was wrong.' },
  ],
  run: async (context, { options }) => {
    const { source, verified, from, to } = options;
    const sourceId = source === undefined ? undefined : (await findSource(context, source)).id;
    const query = { sourceId, verified, from, to, limit: context.pageSize(options) };
    const rows = context.client.incomingEvents.list(query, await projectOptions(context));
    await context.out.list(rows, INCOMING_COLUMNS, { limit: context.rowLimit(options), empty: 'No incoming events.' });
  },
});
