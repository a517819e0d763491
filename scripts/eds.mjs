#!/usr/bin/env node
// `npx eds` in a checkout: runs the command-line client, bundled from this tree. The working directory and the signals stay those
// of the client: it reads the caller's files, and ends what it has begun.
import './start/check-node.mjs';
import { pathToFileURL } from 'node:url';

const { prepareEds } = await import('./start/prepare-eds.mjs');
await import(pathToFileURL(prepareEds()).href);
