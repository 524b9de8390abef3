export { DayFilter } from './DayFilter.tsx'
export { dayIn, lastDays, lastMonth } from './days.ts'
export { useMoments } from './moments.ts'
