export { HostsCard } from './HostsCard.tsx'
