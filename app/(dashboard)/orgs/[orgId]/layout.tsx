export { OrganizationGate as default } from '@/components/orgs/organization-gate';
