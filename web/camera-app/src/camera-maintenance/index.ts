export { MaintenanceCard } from './MaintenanceCard.tsx'
