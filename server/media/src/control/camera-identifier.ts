import { setTimeout as sleep } from 'node:timers/promises'
import type { AdditionStep } from '@sightline/contract/camera-additions'
import type { Logger } from '@sightline/platform/log'
import type { CameraConnect } from '../source/index.ts'
import { AdditionSteps } from './addition-steps.ts'
import type { AdditionOutcome, IdentifiedCamera } from './addition-store.ts'
import { getFailure, identifyCamera } from './camera-addition.ts'
import type { CameraToServe } from './store.ts'

interface IdentifierDeps {
  readonly connectOf: (accountId: number) => CameraConnect
  readonly passwordOf: (camera: CameraToServe) => Promise<string | undefined>
  readonly saveStep: (camera: CameraToServe, step: AdditionStep) => Promise<void>
  readonly saveIdentified: (camera: CameraToServe, found: IdentifiedCamera) => Promise<void>
  readonly saveOutcome: (camera: CameraToServe, outcome: AdditionOutcome) => Promise<void>
  /** Something was saved: the list of cameras is another one. */
  readonly onSaved: () => void
  readonly log: Logger
  readonly now: () => number
}

/** Asks new cameras where their streams are, each beside the others. */
export interface CameraIdentifier extends AsyncDisposable {
  /** Begins with those that are new and gives up those that are gone. */
  keep(cameras: readonly CameraToServe[]): void
}

const RETRY_MS = 2000

export function cameraIdentifier(deps: IdentifierDeps): CameraIdentifier {
  const { log, now } = deps
  const running = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>()
  const keyOf = (camera: CameraToServe) => `${camera.cameraId} ${camera.additionStartedAt}`

  const identify = async (camera: CameraToServe, signal: AbortSignal): Promise<void> => {
    const password = await deps.passwordOf(camera)
    const credentials = camera.username === null ? undefined : { username: camera.username, password: password ?? '' }
    let saving: Promise<void> = Promise.resolve()
    const save = (step: AdditionStep) => deps.saveStep(camera, step).catch((err: unknown) => warn(err))
    const warn = (err: unknown) => log.warn({ err, cameraId: camera.cameraId }, 'could not save a step of an addition')
    const steps = new AdditionSteps(null, (step) => {
      saving = saving.then(() => save(step))
    })
    while (!signal.aborted) {
      const found = await identifyCamera({
        camera,
        credentials,
        connect: deps.connectOf(camera.accountId),
        signal,
        steps,
      })
      await saving
      if (signal.aborted) return
      if (found.ok) {
        await deps.saveIdentified(camera, found.value)
        return deps.onSaved()
      }
      const { kind, detail } = found.failure
      const lastStep = steps.failed(kind)
      const elapsedMs = now() - camera.additionStartedAt
      const subStatus = getFailure(found.failure, { elapsedMs, lastStep, address: camera.address })
      if (subStatus !== undefined) {
        log.warn({ cameraId: camera.cameraId, fault: kind }, `a camera could not be added: ${detail}`)
        await deps.saveOutcome(camera, { status: 'failure', subStatus, lastStep })
        return deps.onSaved()
      }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    keep(cameras) {
      const wanted = new Map(cameras.map((camera) => [keyOf(camera), camera]))
      for (const [key, { stop }] of running) if (!wanted.has(key)) stop.abort()
      for (const [key, camera] of wanted) {
        if (running.has(key)) continue
        const stop = new AbortController()
        const done = identify(camera, stop.signal)
          .catch((err: unknown) => log.error({ err, cameraId: camera.cameraId }, 'could not identify a camera'))
          .finally(() => running.delete(key))
        running.set(key, { stop, done })
      }
    },
    async [Symbol.asyncDispose]() {
      const all = [...running.values()]
      for (const { stop } of all) stop.abort()
      await Promise.all(all.map(({ done }) => done))
    },
  }
}
