/** What the page of a camera takes from here, on demand. */
export { SummaryDialog } from './SummaryDialog.tsx'
