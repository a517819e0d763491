import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Returns the path of the bundled command-line client. If it is missing or older than a source, another process bundles it first,
 * and installs missing packages: that needs the root as working directory, and a compiler that the client should not hold. When it
 * fails it says why, and this process ends with its exit code.
 */
export function prepareEds() {
  const bundle = path.join(ROOT, '.build', 'eds-client.mjs');
  if (isCurrent(bundle)) return bundle;
  const folder = isWritable(ROOT) ? null : fs.mkdtempSync(path.join(os.tmpdir(), 'eds-'));
  const target = folder === null ? bundle : path.join(folder, 'eds-client.mjs');
  const script = path.join(ROOT, 'scripts', 'start', 'bundle-eds.mjs');
  // Standard output belongs to the client.
  const { status } = spawnSync(process.execPath, [script, target], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 130);
  if (folder !== null) process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return target;
}

/** Compares the times of the files that the bundle was made of, which bundle-eds.mjs lists beside it. */
function isCurrent(bundle) {
  try {
    const builtAt = fs.statSync(bundle).mtimeMs;
    const inputs = JSON.parse(fs.readFileSync(`${bundle}.json`, 'utf8'));
    return inputs.every((input) => fs.statSync(path.join(ROOT, input)).mtimeMs <= builtAt);
  } catch {
    return false;
  }
}

function isWritable(folder) {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
