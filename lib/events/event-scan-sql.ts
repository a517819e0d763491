export { CHECKED_STATEMENTS, eventScan } from './events-sql';
