import fs from 'node:fs';
import path from 'node:path';
import { CliError } from '@/lib/cli/cli-error';
import { temporaryName } from '@/lib/cli/config/json-file';
import { flag, text } from '@/lib/cli/options';
import { formatSize } from '@/lib/cli/output/column';
import { Progress } from '@/lib/cli/output/progress';
import { command } from '@/lib/cli/spec';
import type { Terminal } from '@/lib/cli/terminal';
import { NetworkError } from '@/lib/client';
import { faultCodeOf } from '@/lib/client/attempt';

/** An export may take long: no limit but Ctrl-C. */
const TIMEOUT_MS = 24 * 60 * 60 * 1000;

export const exportOrganization = command({
  operations: ['organizationExport.download'],
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

/** Checks before the download that the file can be written. @throws CliError when it exists, or its folder does not */
function checkTarget(file: string, mayReplace: boolean): void {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === false) {
    throw new CliError(`${file} is not a file.`, 'not_a_file', { next: 'Give the path of a file.' });
  }
  if (stats !== undefined && !mayReplace) throw exists(file);
  try {
    fs.accessSync(path.dirname(file), fs.constants.W_OK);
  } catch (error) {
    throw notWritten(file, error);
  }
}

/**
 * Writes a file that appears once it is complete, and that only its owner may read. A failure leaves nothing behind.
 * @returns its size in bytes
 * @throws CliError when it exists, unless `mayReplace`, or cannot be written
 */
async function writeNewFile(file: string, chunks: AsyncIterable<Uint8Array>, mayReplace: boolean): Promise<number> {
  const temporary = temporaryName(file, 'part');
  const handle = openNew(file, temporary);
  try {
    let bytes = 0;
    for await (const chunk of chunks) {
      storing(file, () => fs.writeFileSync(handle, chunk));
      bytes += chunk.length;
    }
    storing(file, () => {
      fs.fsyncSync(handle);
      if (mayReplace) fs.renameSync(temporary, file);
      // Unlike a rename, a link fails when another process has created the file meanwhile.
      else linkNew(temporary, file);
    });
    return bytes;
  } finally {
    fs.closeSync(handle);
    fs.rmSync(temporary, { force: true });
  }
}

function openNew(file: string, temporary: string): number {
  return storing(file, () => fs.openSync(temporary, 'wx', 0o600));
}

function linkNew(temporary: string, file: string): void {
  try {
    fs.linkSync(temporary, file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw exists(file);
    // A file system without links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    if (fs.existsSync(file)) throw exists(file);
    fs.renameSync(temporary, file);
  }
}

function storing<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof CliError ? error : notWritten(file, error);
  }
}

function exists(file: string): CliError {
  const next = 'Choose another file, or add --force to replace it.';
  return new CliError(`${file} already exists.`, 'file_exists', { next });
}

function notWritten(file: string, error: unknown): CliError {
  const { message, code = 'file_error' } = error as NodeJS.ErrnoException;
  return new CliError(`We couldn’t write ${file}.`, code, { reason: message });
}
