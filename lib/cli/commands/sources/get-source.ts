import { command } from '@/lib/cli/spec';
import { findSource, SOURCE } from './find-source';
import { SOURCE_FIELDS } from './source-columns';

export const getSource = command({
  name: 'get',
  summary: 'Show a source with its URL.',
  args: { source: SOURCE },
  examples: [{ line: 'sources get shop', does: 'Show the source named shop.' }],
  run: async (context, { args }) => {
    context.out.record(await findSource(context, args.source), SOURCE_FIELDS);
  },
});
