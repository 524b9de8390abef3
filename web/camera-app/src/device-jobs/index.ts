export { RestartCamera } from './RestartCamera.tsx'
