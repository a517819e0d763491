import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';
import { usageError } from '@/lib/cli/input/usage-error';
import { flag, text } from '@/lib/cli/options';
import { Progress } from '@/lib/cli/output/progress';
import { command } from '@/lib/cli/spec';

/** An export may take long: no limit but Ctrl-C. */
const TIMEOUT_MS = 24 * 60 * 60 * 1000;

export const exportOrganization = command({
  name: 'export',
  summary: 'Export the organization with all its data, as JSON.',
  options: {
    output: text('-o, --output <file>', 'write to this file instead of standard output'),
    force: flag('--force', 'replace the file if it exists'),
  },
  examples: [{ line: 'export --output acme.json', does: 'Save everything that the organization has.' }],
  run: async (context, { options }) => {
    const { terminal, out, client, signal } = context;
    const { output } = options;
    if (output === undefined && terminal.stdout.isTTY) {
      throw usageError('Name a file: --output acme.json');
    }
    if (output !== undefined && existsSync(output) && !options.force) {
      const message = `${output} exists.`;
      throw new CliError({ message, code: 'file_exists', exitCode: EXIT.failure, next: 'Add --force to replace it.' });
    }
    const organizationId = await context.organizationId();
    const response = await client.organizationExport.download(organizationId, { signal, timeoutMs: TIMEOUT_MS });
    let bytes = 0;
    const progress = new Progress(terminal);
    const count = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        if (output !== undefined) progress.show(`Exported ${(bytes / 1e6).toFixed(1)} MB`);
        done(null, chunk);
      },
    });
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    if (output === undefined) return await pipeline(body, count, process.stdout, { signal, end: false });
    // A download that breaks off must not look like an export.
    const partial = `${output}.partial`;
    try {
      await pipeline(body, count, createWriteStream(partial, { mode: 0o600 }), { signal });
      renameSync(partial, output);
    } finally {
      progress.clear();
      rmSync(partial, { force: true });
    }
    out.done({ file: output, bytes }, `Exported ${(bytes / 1e6).toFixed(1)} MB to ${output}.`);
  },
});
