import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DEFLATED = 8;

/** Returns the content of a file in a zip archive. @throws Error when the archive does not have it */
export function unzipEntry(archive: Buffer, name: string): Buffer {
  let end = archive.length - 22;
  while (end >= 0 && archive.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < 0) throw new Error('This is not a zip archive.');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameEnd = at + 46 + archive.readUInt16LE(at + 28);
    if (archive.toString('utf8', at + 46, nameEnd) === name) return readEntry(archive, at);
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`The archive has no ${name}.`);
}

/** @param at the offset of the entry in the directory */
function readEntry(archive: Buffer, at: number): Buffer {
  const size = archive.readUInt32LE(at + 20);
  const local = archive.readUInt32LE(at + 42);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const content = archive.subarray(start, start + size);
  return archive.readUInt16LE(at + 10) === DEFLATED ? inflateRawSync(content) : content;
}
