/** What the page of a camera takes from here, on demand. */
export { BodyCamera } from './BodyCamera.tsx'
