// The entry of the image: `node scripts/container.mjs web|worker|retention|migrate [arguments]` runs a built part in this
// process, and `health` tells whether the part of this container is healthy, with the exit code 0 or 1. Plain JavaScript,
// since the image has no compiler.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readContainerArguments } from './container-arguments.mjs';

const PARTS = ['web', 'worker', 'retention', 'migrate'];
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** Names the part of this container. Its time says when the event loop last turned. */
const ALIVE_FILE = path.join(os.tmpdir(), 'event-delivery-service.alive');
const TOUCH_MS = 5_000;
/** A statement or a collection of garbage may hold an event loop for seconds. */
const SILENT_MS = 30_000;
const READY_MS = 4_000;

const { part: command, args: rest } = readContainerArguments(process.argv.slice(2));
if (command === 'health') {
  const fault = await findFault().catch((error) => error.message);
  if (fault !== null) process.stderr.write(`${fault}\n`);
  process.exit(fault === null ? 0 : 1);
} else if (PARTS.includes(command)) {
  await runPart(command, rest);
} else {
  process.stderr.write(`Unknown part "${command ?? ''}". Choose one of: ${PARTS.join(', ')}, health.\n`);
  process.exit(1);
}

/** @param {string} part @param {string[]} args */
async function runPart(part, args) {
  process.chdir(ROOT);
  const file = path.join(ROOT, '.build', `${part}.mjs`);
  process.argv = [process.execPath, file, ...args];
  showAlive(part);
  await import(pathToFileURL(file).href);
}

/** @param {string} part */
function showAlive(part) {
  const text = JSON.stringify({ part, port: Number(process.env.PORT || 3000) });
  const touch = () => {
    try {
      fs.writeFileSync(ALIVE_FILE, text);
    } catch {
      // A container without a writable folder for temporary files works, and only looks unhealthy.
    }
  };
  touch();
  setInterval(touch, TOUCH_MS).unref();
}

/** Returns what is wrong with the part of this container in one line, or null. */
async function findFault() {
  const stat = fs.statSync(ALIVE_FILE, { throwIfNoEntry: false });
  if (stat === undefined) return 'No part runs here.';
  const { part, port } = JSON.parse(fs.readFileSync(ALIVE_FILE, 'utf8'));
  const silentMs = Date.now() - stat.mtimeMs;
  if (silentMs > SILENT_MS) return `${part} has not responded for ${Math.round(silentMs / 1000)} s.`;
  if (part !== 'web') return null;
  const url = `http://127.0.0.1:${port}/api/health/ready`;
  const { status } = await fetch(url, { signal: AbortSignal.timeout(READY_MS) });
  return status === 200 ? null : `web is not ready (${status}).`;
}
