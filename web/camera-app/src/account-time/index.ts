export { DayFilter } from './DayFilter.tsx'
export { lastDays, lastMonth, parseDay } from './days.ts'
export { useMoments } from './moments.ts'
