export { CameraWarnings } from './CameraWarnings.tsx'
