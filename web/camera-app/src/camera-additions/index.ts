/** What the pages of cameras and recorders take from here, on demand. */
export { StepList } from './AdditionSteps.tsx'
export { portProblem } from './addition-form.ts'
export { ConnectionChoice } from './ConnectionChoice.tsx'
export { FoundDevices } from './FoundCameras.tsx'
export { NotAdded } from './NotAdded.tsx'
export { RemoveCamera } from './RemoveCamera.tsx'
export { LoadingForm, type WholeZone, WholeZones } from './WholeZones.tsx'
