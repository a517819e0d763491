export { listSessions } from './sessions';
