import { integer, yes } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { findSource, SOURCE } from './find-source';

const MAX_GRACE_HOURS = 168;

export const rotateSourceUrl = command({
  name: 'rotate-url',
  summary: 'Rotate a source’s URL. The old one works for a grace period.',
  args: { source: SOURCE },
  options: {
    gracePeriodHours: integer('--grace-period-hours <hours>', 'how long the old URL keeps working (default 24)', {
      min: 0,
      max: MAX_GRACE_HOURS,
    }),
    yes,
  },
  examples: [
    { line: 'sources rotate-url shop --yes', does: 'Rotate the URL. The old one works for a day.' },
    { line: 'sources rotate-url shop --grace-period-hours 0 --yes', does: 'Stop the old URL immediately.' },
  ],
  run: async (context, { args, options: { gracePeriodHours, yes } }) => {
    const { id, name } = await findSource(context, args.source);
    await context.confirm(`Replace the URL of the source ${name}?`, yes);
    const source = await context.client.sources.rotateUrl(id, { gracePeriodHours }, await projectOptions(context));
    const { previousUrlExpiresAt: end } = source;
    const words = end === null ? 'The old one stopped working.' : `The old one works until ${end}.`;
    context.out.done(source, `Replaced the URL of ${name}. ${words}`, source.url ?? undefined);
  },
});
