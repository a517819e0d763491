export { getFanOut } from './deliveries';
