// Makes the npm package of the client library and the command line, which the web process serves.
import { PACKAGE_FILE } from '@/lib/api/downloads/package-file';
import { buildPackage } from '@/scripts/package/build-package';

await buildPackage('.build/package', PACKAGE_FILE);
