export { ConnectedAppsCard } from './ConnectedAppsCard.tsx'
