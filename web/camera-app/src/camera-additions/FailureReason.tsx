import type { AdditionSubStatus } from '@sightline/contract/camera-additions'
import { failureReasons } from './failure-reasons.ts'
import { useText } from './text.ts'

/** Why a device could not be connected, and what to do about it. */
export function FailureReason({ subStatus }: { subStatus: AdditionSubStatus }) {
  const t = useText()
  return t(failureReasons[subStatus])
}
