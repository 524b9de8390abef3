export { DayFilter } from './DayFilter.tsx'
