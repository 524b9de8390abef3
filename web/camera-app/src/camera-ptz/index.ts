/** What the page of a camera takes from here, on demand. */
export { PtzPanel } from './PtzPanel.tsx'
