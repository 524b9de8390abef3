export { RightSwitches } from './RightSwitches.tsx'
export { CHANGED_MEANWHILE, ifMatch, useSwitches } from './use-switches.ts'
