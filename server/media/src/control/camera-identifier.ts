import { setTimeout as sleep } from 'node:timers/promises'
import type { AdditionStep } from '@sightline/contract/camera-additions'
import type { Logger } from '@sightline/platform/log'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type CameraConnect, type CameraFault, fault } from '../source/index.ts'
import { AdditionSteps } from './addition-steps.ts'
import type { AdditionOutcome, AdoptedCamera, ClaimDenyReason } from './addition-store.ts'
import { getFailure, identifyCamera } from './camera-addition.ts'
import { chooseMacAddress, type MacLocator } from './mac-locator.ts'
import type { CameraToServe } from './store.ts'

interface IdentifierDeps {
  readonly connectOf: (accountId: number) => CameraConnect
  readonly passwordOf: (camera: CameraToServe) => Promise<string | undefined>
  readonly saveStep: (camera: CameraToServe, step: AdditionStep) => Promise<void>
  /** Says why the account doesn't get the camera. */
  readonly saveIdentified: (camera: CameraToServe, found: AdoptedCamera) => Promise<ClaimDenyReason | undefined>
  readonly locator: MacLocator
  readonly saveOutcome: (camera: CameraToServe, outcome: AdditionOutcome) => Promise<void>
  /** Something was saved: the list of cameras is another one. */
  readonly onSaved: () => void
  readonly log: Logger
  readonly now: () => number
}

/** Asks new cameras where their streams are, each beside the others. */
export interface CameraIdentifier extends AsyncDisposable {
  /** Starts the new ones and stops those that were removed. */
  keep(cameras: readonly CameraToServe[]): void
}

const RETRY_MS = 2000

type Finding = Pick<Parameters<typeof identifyCamera>[0], 'credentials' | 'signal' | 'steps'> & {
  readonly camera: CameraToServe
}

/** Asks a camera at its address, or at the one where its MAC address is now. */
async function findCamera(
  { camera, ...asking }: Finding,
  { connectOf, locator }: Pick<IdentifierDeps, 'connectOf' | 'locator'>,
): Promise<Result<AdoptedCamera, CameraFault>> {
  const named = camera.namedMacAddress
  const { accountId, namedPort } = camera
  const place = named === null ? camera : await locator.locate(accountId, named, asking.signal)
  if (place === undefined) return fail(fault('unreachable', 'no device with this MAC address was found'))
  const { address } = place
  const port = namedPort ?? ('port' in place ? place.port : null)
  const connect = connectOf(accountId)
  const found = await identifyCamera({ ...asking, camera: { ...camera, address, namedPort: port }, connect })
  if (!found.ok) return found
  const resolved = await locator.macAddressAt(address)
  const macAddress = chooseMacAddress({ named, reported: found.value.macAddresses, resolved })
  if (macAddress === undefined) return fail(fault('unreachable', `the device at ${address} has another MAC address`))
  return ok({ ...found.value, address, macAddress })
}

export function cameraIdentifier(deps: IdentifierDeps): CameraIdentifier {
  const { log, now } = deps
  const running = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>()
  const keyOf = (camera: CameraToServe) => `${camera.cameraId} ${camera.additionStartedAt}`

  const adopt = async (camera: CameraToServe, found: AdoptedCamera): Promise<void> => {
    const refusal = await deps.saveIdentified(camera, found)
    if (refusal !== undefined)
      await deps.saveOutcome(camera, { status: 'failure', subStatus: refusal, lastStep: 'signedIn' })
    deps.onSaved()
  }

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
      const found = await findCamera({ camera, credentials, signal, steps }, deps)
      await saving
      if (signal.aborted) return
      if (found.ok) return await adopt(camera, found.value)
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
