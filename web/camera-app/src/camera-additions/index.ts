/** What the pages of cameras and recorders and the settings of a camera take from here, on demand. */
export { AdditionSteps, StepList } from './AdditionSteps.tsx'
export {
  type AdditionValues,
  additionBody,
  additionFields,
  emptyAddition,
  type FoundLocation,
  machinesBody,
  portProblem,
  useAdditionForm,
} from './addition-form.ts'
export { ConnectionChoice } from './ConnectionChoice.tsx'
export { ConnectionFields } from './ConnectionFields.tsx'
export { FailureReason } from './FailureReason.tsx'
export { FoundDevices } from './FoundCameras.tsx'
export { NotAdded } from './NotAdded.tsx'
export { RemoveCamera } from './RemoveCamera.tsx'
export { LoadingForm, type WholeZone, WholeZones } from './WholeZones.tsx'
