// `npm run backup -- FILE`: writes the embedded database and its secrets to a new file, also while the service runs.
import { backUp } from './backup/back-up';
import { parseFile } from './backup/command';

await backUp(parseFile('backup', process.argv.slice(2), process.env), process.env);
