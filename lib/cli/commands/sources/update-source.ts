import { enabledOf } from '@/lib/cli/input/enabled-of';
import { readSecret } from '@/lib/cli/input/read-secret';
import { requireChange } from '@/lib/cli/input/require-change';
import { enabling, text } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';
import { findSource, SOURCE } from './find-source';
import { SIGNATURE_OPTIONS } from './signature-options';

export const updateSource = command({
  name: 'update',
  summary: 'Change a source.',
  details:
    'A new secret replaces the old one immediately. To keep the old one for 24 hours, use `eds sources rotate-secret`.',
  args: { source: SOURCE },
  options: { name: text('--name <name>', 'new name'), ...enabling, ...SIGNATURE_OPTIONS },
  examples: [
    { line: 'sources update shop --with-secret < secret.txt', does: 'Store the provider’s secret.' },
    { line: 'sources update shop --disable', does: 'Stop receiving requests.' },
  ],
  run: async (context, { args, options }) => {
    const { name, enable, disable, withSecret, ...signature } = options;
    const change = { name, ...enabledOf({ enable, disable }), ...signature };
    requireChange({ ...change, withSecret: withSecret || undefined });
    const { id } = await findSource(context, args.source);
    const secret = withSecret ? await readSecret(context, 'the provider’s secret') : undefined;
    const source = await context.client.sources.update(id, { ...change, secret }, await projectOptions(context));
    context.out.done(source, `Changed the source ${source.name}.`);
  },
});
