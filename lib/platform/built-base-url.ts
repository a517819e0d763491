/**
 * Stands for APP_BASE_URL in pages that the build renders: one build serves any deployment. The web entry replaces it. It needs no
 * escaping in HTML, in JSON and in scripts, like an origin.
 */
export const BUILT_BASE_URL = 'https://base-url.invalid';
