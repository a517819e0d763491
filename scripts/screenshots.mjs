// `npm run screenshots`: starts the product on a new database with the data of `npm run demo`, and writes every page, light and dark,
// for a desktop and a phone, to .build/screenshots. `--docs` also replaces the pictures of the documents in docs/images.
import './start/check-node.mjs';

const { launch } = await import('./start/launch.mjs');
await launch('scripts/screenshots/main.ts', process.argv.slice(2), { usesDatabase: true });
