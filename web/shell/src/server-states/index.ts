export { type Following, followServer, type VisiblePage } from './follow-events.ts'
export { putTold, type ToldQueries } from './put-told.ts'
