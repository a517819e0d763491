import { CliError } from '@/lib/cli/cli-error';
import { flag, text } from '@/lib/cli/options';
import { formatSize } from '@/lib/cli/output/column';
import { Progress } from '@/lib/cli/output/progress';
import { command } from '@/lib/cli/spec';
import type { Terminal } from '@/lib/cli/terminal';
import { NetworkError } from '@/lib/client';
import { faultCodeOf } from '@/lib/client/attempt';
import { checkTarget, writeNewFile } from './write-new-file';

/** An export may take long: no limit but Ctrl-C. */
const TIMEOUT_MS = 24 * 60 * 60 * 1000;

export const exportOrganization = command({
  summary: 'Export the organization and its data as JSON.',
  details: 'Requires the owner role. The file appears once it’s complete, and only you can read it.',
  options: {
    output: text('-o, --output <file>', 'write to this file instead of standard output'),
    force: flag('--force', 'replace the file if it exists'),
  },
  examples: {
    'export --output acme.json': 'Save the export to a file.',
    'export | jq .members': 'Read part of the export.',
  },
  run: async (context, { options: { output, force } }) => {
    const { out, terminal, client } = context;
    const file = output === undefined || output === '-' ? null : output;
    if (file !== null) checkTarget(file, force);
    const organizationId = await context.organizationId();
    const response = await client.organizationExport.download(organizationId, { timeoutMs: TIMEOUT_MS });
    if (file === null) return await out.stream(read(response));
    const bytes = await writeNewFile(file, withProgress(terminal, read(response)), force);
    out.done({ file, bytes }, `Exported ${formatSize(bytes)} to ${file}.`);
  },
});

/** Reads a body to its end. @throws NetworkError when the connection breaks before */
async function* read({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) throw new CliError('The export is empty.', 'empty');
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } catch (fault) {
    const code = faultCodeOf(fault);
    const message = 'The connection broke before the end of the export';
    throw new NetworkError(`${message}${code === null ? '' : `: ${code}`}.`, code);
  } finally {
    void reader.cancel().catch(() => {});
  }
}

async function* withProgress(terminal: Terminal, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const progress = new Progress(terminal);
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
      progress.show(`Exported ${formatSize(bytes)}…`);
    }
  } finally {
    progress.clear();
  }
}
