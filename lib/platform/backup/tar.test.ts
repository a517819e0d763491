import { expect, it } from 'vitest';
import { readTar, TAR_END, type TarMember, toTar } from './tar';

/** Returns an archive whose member has a size as given, and a sum that fits. */
function archiveWithSize(size: string): Buffer {
  const archive = Buffer.concat([toTar({ name: 'a', data: Buffer.alloc(0) }), TAR_END]);
  archive.write(`${size}\0`, 124, 'latin1');
  archive.fill(' ', 148, 156);
  const sum = archive.subarray(0, 512).reduce((all, byte) => all + byte, 0);
  archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return archive;
}

async function read(archive: Buffer): Promise<TarMember[]> {
  const chunks = async function* () {
    yield archive;
  };
  const members: TarMember[] = [];
  for await (const member of readTar(chunks())) members.push(member);
  return members;
}

it('refuses a member with a size below 0, and reads an empty one', async () => {
  await expect(read(archiveWithSize('-0000000001'))).rejects.toThrow('a header has changed');
  expect(await read(archiveWithSize('00000000000'))).toMatchObject([{ name: 'a' }]);
});
