export { ZoneScheduleCard } from './ZoneScheduleCard.tsx'
