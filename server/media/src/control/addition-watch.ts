import type { AdditionStep } from '@sightline/contract/camera-additions'
import type { Logger } from '@sightline/platform/log'
import type { RecordingHealth } from '../recording/index.ts'
import type { CameraState, RtspStep } from '../source/index.ts'
import { AdditionSteps, stepOfRtsp } from './addition-steps.ts'
import type { AdditionOutcome } from './addition-store.ts'
import { getFailure } from './camera-addition.ts'
import type { CameraToServe } from './store.ts'

/** A camera with pictures that isn't recorded by then is added all the same; the reason isn't the camera. */
const RECORDED_AFTER_MS = 20_000

export interface AdditionWatchDeps {
  readonly camera: Pick<CameraToServe, 'cameraId' | 'address' | 'additionStatus' | 'additionStartedAt'>
  readonly saveStep: (step: AdditionStep) => Promise<void>
  readonly saveOutcome: (outcome: AdditionOutcome) => Promise<void>
  /** SHA-256 of the certificate that the camera shows. */
  readonly certificate: () => Buffer | undefined
  readonly log: Logger
  readonly now: () => number
}

/** Follows a camera that is being added until it is recorded, or can't be added. */
export interface AdditionWatch extends Disposable {
  step(step: RtspStep): void
  connection(state: CameraState): void
  recording(health: RecordingHealth): void
}

const nothingToReport: AdditionWatch = {
  step: () => undefined,
  connection: () => undefined,
  recording: () => undefined,
  [Symbol.dispose]: () => undefined,
}

/** Reports how the addition of a camera goes, and once how it went; one that was added before has nothing to report. */
export function watchAddition(deps: AdditionWatchDeps): AdditionWatch {
  const { camera, now } = deps
  if (camera.additionStatus === 'added') return nothingToReport
  const warn = (err: unknown) =>
    deps.log.warn({ err, cameraId: camera.cameraId }, 'could not save how adding a camera goes')
  let saving: Promise<void> = Promise.resolve()
  const save = (work: () => Promise<void>) => {
    saving = saving.then(work)
    return saving
  }
  // ONVIF found the streams before.
  const steps = new AdditionSteps(camera.additionStatus === 'validated' ? 'streams' : null, (step) =>
    save(() => deps.saveStep(step).catch(warn)),
  )
  let isOver = false
  let health: RecordingHealth['kind'] | undefined
  let late: NodeJS.Timeout | undefined

  const finish = (outcome: Omit<AdditionOutcome, 'certificate'>) => {
    if (isOver) return
    isOver = true
    clearTimeout(late)
    save(() => deps.saveOutcome({ ...outcome, certificate: deps.certificate() })).catch((err: unknown) => {
      isOver = false
      saving = Promise.resolve()
      warn(err)
    })
  }
  const judge = () => {
    if (late === undefined) return
    if (health === 'ok') finish({ status: 'added', subStatus: 'none', lastStep: 'recording' })
    if (health === 'off' || health === 'standby')
      finish({ status: 'added', subStatus: 'none', lastStep: 'samplePicture' })
  }
  return {
    step: (step) => {
      if (isOver) return
      if (step === 'connected') steps.begin()
      steps.reached(stepOfRtsp[step])
    },
    connection(state) {
      if (isOver) return
      if (state.kind === 'online') {
        steps.reached('samplePicture')
        late ??= setTimeout(
          () => finish({ status: 'added', subStatus: 'cloudUnreachable', lastStep: 'samplePicture' }),
          RECORDED_AFTER_MS,
        )
        judge()
      }
      // A camera that has sent pictures is there, whatever comes later.
      if (state.kind !== 'offline' || late !== undefined) return
      const lastStep = steps.failed(state.cause.kind)
      const elapsedMs = now() - camera.additionStartedAt
      const subStatus = getFailure(state.cause, { elapsedMs, lastStep, address: camera.address })
      if (subStatus !== undefined) finish({ status: 'failure', subStatus, lastStep })
    },
    recording({ kind }) {
      health = kind
      if (!isOver) judge()
    },
    [Symbol.dispose]: () => clearTimeout(late),
  }
}
