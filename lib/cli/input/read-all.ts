import { usageError } from './usage-error';

/** More than the largest body that the API takes. */
export const MAX_INPUT_BYTES = 1024 * 1024;

/** Reads a stream to its end. @param name how its error calls it @throws CliError when it is longer than 1 MiB */
export async function readAll(stream: AsyncIterable<Buffer | string>, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Buffer);
    size += bytes.length;
    if (size > MAX_INPUT_BYTES) throw usageError(`${name} is longer than 1 MiB.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
