/**
 * The cookie that tells pages that this browser may have a session. It is no secret: the refresh token is in a cookie that
 * only the API can read.
 */
export const PRESENCE_COOKIE = 'eds_session';
