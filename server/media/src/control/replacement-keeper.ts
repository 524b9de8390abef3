import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import type { CameraConnect } from '../source/index.ts'
import { AdditionSteps } from './addition-steps.ts'
import { getFailure } from './camera-addition.ts'
import { type ExaminedDevice, examineDevice } from './device-examination.ts'
import { chooseMacAddress, type MacLocator } from './mac-locator.ts'
import {
  failReplacement,
  finishTrial,
  loadOpenReplacements,
  type OpenReplacement,
  replaceCamera,
  saveReplacementStep,
} from './replacement-store.ts'

interface ReplacementKeeperDeps {
  readonly db: Db
  readonly connectOf: (accountId: number) => CameraConnect
  readonly locator: Pick<MacLocator, 'macAddressAt'>
  readonly passwordOf: (camera: OpenReplacement) => Promise<string | undefined>
  /** Whether this worker serves the camera. */
  readonly owns: (cameraId: number, machines: readonly string[]) => boolean
  /** A camera leads to another device. */
  readonly onReplaced: () => void
  readonly log: Logger
  readonly now: () => number
}

/** Tries devices that are to take the place of others, beside the cameras that are recorded meanwhile. */
export interface ReplacementKeeper extends AsyncDisposable {
  /** Starts the new ones and stops those that were removed. */
  refresh(): Promise<void>
}

const RETRY_MS = 2000

export function replacementKeeper(deps: ReplacementKeeperDeps): ReplacementKeeper {
  const { db, log } = deps
  const running = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>()
  const keyOf = ({ cameraId, startedAt }: OpenReplacement) => `${cameraId} ${startedAt}`
  return {
    async refresh() {
      const open = (await loadOpenReplacements(db)).filter(({ cameraId, machines }) => deps.owns(cameraId, machines))
      const wanted = new Map(open.map((replacement) => [keyOf(replacement), replacement]))
      for (const [key, { stop }] of running) if (!wanted.has(key)) stop.abort()
      for (const [key, replacement] of wanted) {
        if (running.has(key)) continue
        const stop = new AbortController()
        const { cameraId } = replacement
        const done = tryReplacement(deps, replacement, stop.signal)
          .catch((err: unknown) => log.error({ err, cameraId }, 'could not replace a camera; will try again'))
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

/** Until the device passed or failed. */
async function tryReplacement(
  deps: ReplacementKeeperDeps,
  replacement: OpenReplacement,
  signal: AbortSignal,
): Promise<void> {
  const { db, log, now } = deps
  const { candidate, username, cameraId } = replacement
  const password = await deps.passwordOf(replacement)
  const credentials = username === null ? undefined : { username, password: password ?? '' }
  const warn = (err: unknown) => log.warn({ err, cameraId }, 'could not save a step of a replacement')
  let saving: Promise<void> = Promise.resolve()
  const steps = new AdditionSteps(null, (step) => {
    saving = saving.then(() => saveReplacementStep(db, replacement, step).catch(warn))
  })
  const connect = deps.connectOf(replacement.accountId)
  while (!signal.aborted) {
    const examined = await examineDevice({ candidate, credentials, connect, signal, steps })
    await saving
    if (signal.aborted) return
    if (examined.ok) return await take(deps, replacement, examined.value)
    const { kind, detail } = examined.failure
    const elapsedMs = now() - replacement.startedAt
    const lastStep = steps.failed(kind)
    const subStatus = getFailure(examined.failure, { elapsedMs, lastStep, address: candidate.address })
    if (subStatus !== undefined) {
      log.warn({ cameraId, fault: kind }, `a camera could not be replaced: ${detail}`)
      if (lastStep !== null) await saveReplacementStep(db, replacement, lastStep)
      return await failReplacement(db, replacement, { subStatus, at: now() })
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** The device passed. */
async function take(
  { db, now, onReplaced, locator }: ReplacementKeeperDeps,
  replacement: OpenReplacement,
  examined: ExaminedDevice,
): Promise<void> {
  if (replacement.dryRun) return await finishTrial(db, replacement, { examined, at: now() })
  const reported = examined.identified?.macAddresses
  const resolved = reported === undefined ? undefined : await locator.macAddressAt(replacement.candidate.address)
  const macAddress = chooseMacAddress({ named: null, reported: reported ?? [], resolved }) ?? ''
  const outcome = await replaceCamera(db, replacement, { examined, at: now(), macAddress })
  if (outcome === 'replaced') onReplaced()
  else if (outcome !== 'gone') await failReplacement(db, replacement, { subStatus: outcome, at: now() })
}
