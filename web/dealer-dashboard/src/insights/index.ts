export { insightsQuery } from './insight-queries.ts'
