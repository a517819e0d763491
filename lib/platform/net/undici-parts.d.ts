/*
 * The two parts of undici that delivery uses. Its index also loads fetch, caches, proxies and mocks: 4 MiB per process.
 */
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}
