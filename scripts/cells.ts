// `npm run cells -- list | add NAME | drain NAME`: the cells of the database of DATABASE_URL, or of the embedded one of DATA_DIR.
import { runCells } from './cells/run-cells';

process.stdout.write(`${await runCells(process.argv.slice(2), process.env)}\n`);
