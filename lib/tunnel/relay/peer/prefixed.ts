import type { Readable } from 'node:stream';

const LENGTH_BYTES = 4;

/** Returns JSON text after its length, which together start the body of a message between web processes. */
export function withLength(json: Buffer): Buffer {
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

/** Reads what `withLength` wrote from the start of a stream, and leaves the rest in it. @throws Error when it is missing */
export async function readWithLength(stream: Readable, maxBytes: number): Promise<Buffer> {
  const length = (await readExactly(stream, LENGTH_BYTES)).readUInt32BE();
  if (length === 0 || length > maxBytes) throw new Error('the message of the other web process has no valid length');
  return readExactly(stream, length);
}

function readExactly(stream: Readable, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      detach();
      reject(new Error('the connection to the other web process was lost'));
    };
    const attempt = () => {
      const read = stream.read(bytes) as Buffer | null;
      if (read === null) return;
      if (read.length < bytes) return fail();
      detach();
      resolve(read);
    };
    const detach = () => stream.off('readable', attempt).off('end', fail).off('close', fail).off('error', fail);
    if (stream.destroyed) return fail();
    stream.on('readable', attempt).on('end', fail).on('close', fail).on('error', fail);
    attempt();
  });
}
