// The retention process: runs the schedules until it is stopped; given the name of a job, runs that job once.
import { loadConfigOrExit } from '@/lib/platform/config/config';
import { REQUIRED_OF } from '@/lib/platform/config/parts';
import { sendWarningsToLog } from '@/lib/platform/console-to-log';
import { parseArguments, withNpmFlags } from './retention/parse-arguments';
import { runOnce } from './retention/run-once';
import { runUntilStopped } from './retention/run-until-stopped';

loadConfigOrExit(REQUIRED_OF.retention);
sendWarningsToLog();
const wanted = parseArguments(withNpmFlags(process.argv.slice(2), process.env));
if (wanted.task === 'schedules') {
  await runUntilStopped();
} else if (wanted.task === 'job') {
  await runOnce(wanted.job, { isDryRun: wanted.isDryRun });
} else {
  process.stderr.write(`${wanted.fault}\n`);
  process.exitCode = 1;
}
