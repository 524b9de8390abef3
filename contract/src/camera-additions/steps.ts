import * as z from 'zod/mini'
import { type AdditionStatus, type AdditionStep, type AdditionSubStatus, additionStep } from '../cameras/index.ts'

/** `skipped`: the mode of the camera says not to record now, or only events. */
export const additionStepState = z.enum(['waiting', 'running', 'done', 'failed', 'skipped'])
export type AdditionStepState = z.infer<typeof additionStepState>

/** How far an addition came. */
export interface AdditionProgress {
  readonly status: AdditionStatus
  readonly subStatus: AdditionSubStatus
  /** The last step that succeeded; null if none did. */
  readonly lastStep: AdditionStep | null
}

/** The state of all steps. An added camera whose recording isn't due has the last one skipped. */
export function additionSteps({
  status,
  subStatus,
  lastStep,
}: AdditionProgress): { step: AdditionStep; state: AdditionStepState }[] {
  const steps = additionStep.options
  const done = lastStep === null ? 0 : steps.indexOf(lastStep) + 1
  const undone = status === 'added' && subStatus === 'none' ? 'skipped' : 'failed'
  const next = status === 'added' || status === 'failure' ? undone : 'running'
  return steps.map((step, at) => {
    if (at < done) return { step, state: 'done' }
    return { step, state: at === done ? next : 'waiting' }
  })
}
