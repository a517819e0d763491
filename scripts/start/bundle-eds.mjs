// The process that bundles the command-line client into the file of its argument, and lists its sources beside it. It runs in the root.
import fs from 'node:fs';
import { ensureInstalled } from './install.mjs';
import { showProgressOn } from './progress.mjs';
import { exitWith } from './startup-error.mjs';

const [, , target] = process.argv;
showProgressOn(process.stderr);
try {
  await ensureInstalled();
  const { bundleEds } = await import('./bundle.mjs');
  const own = `${target}.${process.pid}`;
  const inputs = await bundleEds(own);
  // Two may bundle at once: each replaces a complete file by a complete one.
  fs.writeFileSync(`${own}.json`, JSON.stringify(inputs));
  for (const ending of ['.json', '']) fs.renameSync(`${own}${ending}`, `${target}${ending}`);
} catch (error) {
  exitWith(error);
}
