export { ownerOfProject } from './tenant';
