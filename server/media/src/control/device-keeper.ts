import type { CameraCommandAnswer, CameraCommandName, CameraCommandQuestion } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import type { CameraConnect } from '../source/index.ts'
import { type DeviceToServe, dropOldDeviceRows, loadDevices } from './device-store.ts'
import { type DeviceWatch, watchDevice } from './device-watch.ts'
import type { OpenJob } from './job-store.ts'
import { joinedRuns } from './joined-runs.ts'
import type { KeyService } from './key-service.ts'
import type { MacLocator } from './mac-locator.ts'
import { isCommand } from './named-command.ts'
import { trySignIn } from './tried-sign-in.ts'
import { changeCameraUsers } from './user-changes.ts'

export interface DeviceKeeperDeps {
  readonly db: Db
  readonly keyService: Pick<KeyService, 'openDevicePassword'>
  /** Connects to addresses that the account may name. */
  readonly connectOf: (accountId: number) => CameraConnect
  readonly locator: MacLocator
  /** Whether this worker looks after the device: ids of cameras and devices are from one space. */
  readonly owns: (id: number, machines: readonly string[]) => boolean
  /** Whether this worker does what is to be done once. */
  readonly isFirst: () => boolean
  readonly log: Logger
  readonly now: () => number
}

/** The recorders that this worker looks after. A device is one worker's; the cameras at its inputs may be others'. */
export interface DeviceKeeper extends AsyncDisposable {
  readonly deviceIds: () => readonly number[]
  /** Undefined if the device isn't looked after here. */
  command<Name extends CameraCommandName>(
    question: CameraCommandQuestion<Name>,
  ): Promise<CameraCommandAnswer<Name>> | undefined
  /** The jobs that wait or run; those of other devices are ignored. */
  keepJobs(jobs: readonly OpenJob[]): void
  /** Reads from the database which devices there are. */
  refresh(): Promise<void>
  /** The same, with a line in the log if it fails. */
  refreshLater(): void
}

const KEPT_DAYS = 90
const MS_PER_DAY = 86_400_000
const SWEEP_EVERY_MS = 3_600_000

export function deviceKeeper(deps: DeviceKeeperDeps): DeviceKeeper {
  const { db, keyService, connectOf, log, now } = deps
  const watches = new Map<number, { readonly watch: DeviceWatch; readonly version: string }>()
  let isClosing = false
  let sweptAt = Number.NEGATIVE_INFINITY

  const open = async (device: DeviceToServe): Promise<void> => {
    const { accountId, deviceId, passwordSealed } = device
    const password =
      passwordSealed === null ? undefined : await keyService.openDevicePassword({ accountId, deviceId }, passwordSealed)
    if (isClosing) return
    const watch = watchDevice({
      device,
      password,
      connect: connectOf(accountId),
      locator: deps.locator,
      db,
      onSaved: refreshLater,
      log,
      now,
    })
    watches.set(deviceId, { watch, version: versionOf(device) })
  }
  const refreshNow = async () => {
    const devices = (await loadDevices(db)).filter(({ deviceId, machines }) => deps.owns(deviceId, machines))
    if (isClosing) return
    const wanted = new Map(devices.map((device) => [device.deviceId, versionOf(device)]))
    const gone = [...watches].filter(([deviceId, { version }]) => wanted.get(deviceId) !== version)
    for (const [deviceId] of gone) watches.delete(deviceId)
    await Promise.all(gone.map(([, { watch }]) => watch[Symbol.asyncDispose]()))
    const added = devices.filter(({ deviceId }) => !watches.has(deviceId))
    const warnOf = (device: DeviceToServe) => (err: unknown) =>
      log.error({ err, deviceId: device.deviceId }, 'could not get the password of a device')
    await Promise.all(added.map((device) => open(device).catch(warnOf(device))))
    if (deps.isFirst() && now() - sweptAt >= SWEEP_EVERY_MS) {
      sweptAt = now()
      await dropOldDeviceRows(db, now() - KEPT_DAYS * MS_PER_DAY)
    }
  }
  const refreshing = joinedRuns(refreshNow)
  const refreshLater = () => void refreshing.run().catch((err: unknown) => log.warn({ err }, 'could not list devices'))
  return {
    deviceIds: () => [...watches.keys()],
    command(question) {
      const watch = watches.get(question.cameraId)?.watch
      return watch === undefined ? undefined : commandDevice(watch, question, deps)
    },
    keepJobs(jobs) {
      for (const { watch } of watches.values()) watch.keepJobs(jobs)
    },
    refresh: refreshing.run,
    refreshLater,
    async [Symbol.asyncDispose]() {
      isClosing = true
      await Promise.all([...watches.values()].map(({ watch }) => watch[Symbol.asyncDispose]()))
      await refreshing.settled()
    },
  }
}

async function commandDevice<Name extends CameraCommandName>(
  watch: DeviceWatch,
  question: CameraCommandQuestion<Name>,
  { connectOf, keyService }: Pick<DeviceKeeperDeps, 'connectOf' | 'keyService'>,
): Promise<CameraCommandAnswer<Name>> {
  const { device } = watch
  const openPassword = (sealed: Buffer) => keyService.openDevicePassword(device, sealed)
  if (isCommand(question, 'trySignIn'))
    return await trySignIn({ device, connect: connectOf(device.accountId), openPassword }, question.input)
  if (isCommand(question, 'changeUsers')) {
    const onvif = watch.onvif()
    if (onvif === undefined) return { kind: 'cameraOffline' }
    const open = (_: DeviceToServe, sealed: Buffer) => openPassword(sealed)
    return await changeCameraUsers({ camera: device, device: onvif, openPassword: open }, question.input)
  }
  return await watch.command(question)
}

/** What a device is connected by; another value begins anew. */
const versionOf = (device: DeviceToServe): string =>
  JSON.stringify([
    device.namedMacAddress ?? device.address,
    device.namedPort,
    device.username,
    device.passwordSealed?.toString('hex'),
    device.allowBasic,
    device.additionStartedAt,
  ])
