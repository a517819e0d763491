// `npm run tunnel -- <port|url>`: gives a local server a public address, with the API key of EDS_API_KEY at the instance of
// EDS_API_URL (http://localhost:3000). `--tunnel ID` connects that tunnel instead of the one of this
// machine. `--takeover` replaces another client of the same tunnel.
import './start/check-node.mjs';

const { launch } = await import('./start/launch.mjs');
await launch('scripts/tunnel/main.ts', process.argv.slice(2));
