/** What the page of a camera takes from here, on demand. */
export { NotAdded } from './NotAdded.tsx'
export { RemoveCamera } from './RemoveCamera.tsx'
