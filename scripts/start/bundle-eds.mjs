// The process that bundles the command-line client into the file of its argument, and lists its sources beside it. It runs in the root.
import fs from 'node:fs';
import { ensureInstalled } from './install.mjs';
import { showProgressOn } from './progress.mjs';
import { EXPECTED_ERRORS } from './startup-error.mjs';

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
  const expected = error instanceof Error && EXPECTED_ERRORS.includes(error.name);
  process.stderr.write(`${expected ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
}
