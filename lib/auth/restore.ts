export { restore } from './refresh';
