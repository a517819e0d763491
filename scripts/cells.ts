// `npm run cells -- list | add NAME | drain NAME | move ORG CELL | distribute`: the cells of the database of DATABASE_URL, or of
// the embedded one of DATA_DIR.
import { runCells } from './cells/run-cells';

const print = (line: string) => void process.stdout.write(`${line}\n`);
print(await runCells(process.argv.slice(2), process.env, print));
