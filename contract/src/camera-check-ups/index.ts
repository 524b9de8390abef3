import * as z from 'zod/mini'
import { dateTime, id, idText, route } from '../wire/index.ts'
import { checkUpFinding } from './findings.ts'

export {
  type CheckUpFinding,
  type CheckUpFix,
  type CheckUpOutcome,
  type CheckUpReason,
  type CheckUpTopic,
  checkUpFinding,
  checkUpTopic,
} from './findings.ts'
export { checkUpSentences, checkUpTopicNames, checkUpUnits } from './sentences.ts'

export const cameraCheckUp = z.object({
  cameraId: id,
  /** Null: the camera was never checked. */
  checkedAt: z.nullable(dateTime),
  /** What is true now and was measured then; empty if the camera was never checked. */
  findings: z.array(checkUpFinding),
  /** A check that waits or runs (`GET cameras/{cameraId}/jobs/{jobId}`). */
  jobId: z.nullable(id),
})
export type CameraCheckUp = z.infer<typeof cameraCheckUp>

const ofCamera = {
  access: 'object',
  right: 'editCamera',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
} as const

export const getCameraCheckUp = route({
  ...ofCamera,
  name: 'getCameraCheckUp',
  summary: 'Get the result of the last check-up of a camera, which runs once when a camera is added, and on request',
  method: 'GET',
  path: 'cameras/{cameraId}/checkUp',
  reply: cameraCheckUp,
  errors: ['notFound'],
})

export const checkCamera = route({
  ...ofCamera,
  name: 'checkCamera',
  summary:
    'Check a camera as a job of about half a minute, then wait up to a minute for motion; canceling the job ends the wait',
  method: 'POST',
  path: 'cameras/{cameraId}/checkUp',
  status: 202,
  reply: z.object({ jobId: id }),
  errors: ['notFound', 'businessRule', 'cameraOffline'],
})

export const getCameraCheckUpReport = route({
  ...ofCamera,
  name: 'getCameraCheckUpReport',
  summary:
    'Download the last check-up of a camera as text for the person who helps with it, without passwords and addresses of streams',
  method: 'GET',
  path: 'cameras/{cameraId}/checkUp/report',
  media: ['text/plain'],
  reply: z.unknown(),
  errors: ['notFound'],
})
