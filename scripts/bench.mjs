// Runs a benchmark: `node scripts/bench.mjs ingest|delivery|memory [--rounds N]`. Bundles it first, so that what is measured is
// what is shipped.
import { importEntry } from './start/bundle.mjs';

const [, , name = ''] = process.argv;
if (!/^[a-z-]+$/.test(name)) {
  process.stderr.write('usage: node scripts/bench.mjs ingest|delivery|memory\n');
  process.exit(1);
}
const { main } = await importEntry(`scripts/bench/${name}.ts`);
await main();
process.exit(0);
