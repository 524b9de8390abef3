export { DayFilter } from './DayFilter.tsx'
export { lastDays, lastMonth } from './days.ts'
export { useMoments } from './moments.ts'
