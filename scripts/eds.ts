// The command-line client. Everything that it needs is in one bundle, so that it starts fast.
import { main } from '@/lib/cli/main';

process.exitCode = await main(process.argv.slice(2));
