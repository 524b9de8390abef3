export { type Following, followServer, type VisiblePage } from './follow-events.ts'
