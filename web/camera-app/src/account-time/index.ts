export { lastDays, lastMonth } from './days.ts'
export { useMoments } from './moments.ts'
