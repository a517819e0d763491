import { findSource } from '@/lib/cli/commands/sources/find-source';
import { choice, paging, text, time } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { INCOMING_COLUMNS } from './incoming-columns';

export const listIncoming = command({
  name: 'list',
  summary: 'List incoming events, newest first.',
  options: {
    source: text('--source <id|name>', 'only events from this source'),
    verified: choice(
      '--verified <state>',
      'only events with this signature state (`none`: the source has no signatures)',
      ['true', 'false', 'none'],
    ),
    from: time('--from <time>', 'only events since this time'),
    to: time('--to <time>', 'only events until this time'),
    ...paging,
  },
  examples: [
    {
      line: 'incoming list --source shop --from 2h',
      does: 'List what the source named shop received in the last two hours.',
    },
    { line: 'incoming list --verified false', does: 'List unverified requests.' },
  ],
  run: async (context, { options }) => {
    const { source, verified, from, to } = options;
    const sourceId = source === undefined ? undefined : (await findSource(context, source)).id;
    const query = { sourceId, verified, from, to, limit: context.pageSize(options) };
    const rows = context.client.incomingEvents.list(query, await projectOptions(context));
    await context.out.list(rows, INCOMING_COLUMNS, { limit: context.rowLimit(options), empty: 'No incoming events.' });
  },
});
