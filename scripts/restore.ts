// `npm run restore -- FILE`: fills an empty DATA_DIR from a file of `npm run backup`.
import { parseFile } from './backup/command';
import { restore } from './backup/restore';

await restore(parseFile('restore', process.argv.slice(2), process.env), process.env);
