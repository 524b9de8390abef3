import { setTimeout as sleep } from 'node:timers/promises'
import type { AdditionStep } from '@sightline/contract/camera-additions'
import type { CameraCommandAnswer, CameraCommandName, CameraCommandQuestion } from '@sightline/contract/media-plane'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import {
  type CameraConnect,
  type CameraFault,
  type DeviceStorage,
  FocusLens,
  fault,
  OnvifCommander,
  PtzDevice,
  readLiveSources,
  readStorage,
  WifiDevice,
} from '../source/index.ts'
import { AdditionSteps } from './addition-steps.ts'
import type { ClaimDenyReason } from './addition-store.ts'
import { getFailure, looksUnreachable, ONVIF_PATH } from './camera-addition.ts'
import { type DeviceInput, toInputs } from './device-inputs.ts'
import { findDevice } from './device-search.ts'
import {
  type DeviceLogRecord,
  type DeviceStep,
  type DeviceToServe,
  type IdentifiedDevice,
  insertDeviceLog,
  saveAdditionFailure,
  saveDeviceStatus,
  saveIdentified,
  saveOnlineInputs,
  saveStep,
} from './device-store.ts'
import { FocusMover } from './focus-mover.ts'
import type { OpenJob } from './job-store.ts'
import { RunningJobs } from './jobs.ts'
import { chooseMacAddress, type LocatedDevice, type MacLocator } from './mac-locator.ts'
import { type CommandedCamera, giveOnvifCommand } from './onvif-commands.ts'
import { PtzMover } from './ptz-mover.ts'
import { connectionResults } from './status-keeper.ts'
import type { OnvifEndpoint } from './store.ts'

export interface DeviceWatchDeps {
  readonly device: DeviceToServe
  readonly password: string | undefined
  readonly connect: CameraConnect
  readonly locator: MacLocator
  readonly db: Db
  /** The addition ended: there are other devices to serve. */
  readonly onSaved: () => void
  readonly log: Logger
  readonly now: () => number
}

/** What looks after one recorder: nothing else connects to it for what isn't a camera's. */
export interface DeviceWatch extends AsyncDisposable {
  readonly device: DeviceToServe
  /** Undefined until it responded. */
  readonly onvif: () => OnvifCommander | undefined
  /** Asks the device to do something. */
  command<Name extends CameraCommandName>(question: CameraCommandQuestion<Name>): Promise<CameraCommandAnswer<Name>>
  /** The jobs of the device that wait or run; each is begun once. */
  keepJobs(jobs: readonly OpenJob[]): void
}

/** How often a recorder is asked whether it is there and which inputs have a picture. */
const LOOK_EVERY_MS = 20_000
/** How often its inputs are listed again although nothing seems to have changed. */
const LIST_EVERY_MS = 10 * 60_000
const RETRY_MS = 2000
/** Who repeats a wrong password is locked out. */
const REFUSED_RETRY_MS = [5 * 60_000, 15 * 60_000, 60 * 60_000] as const
/** Until a device that takes its time is given up. */
const COMMAND_MS = 12_000
const LIST_MS = 60_000
/** Lines of the log in an hour; a device that comes and goes must not fill the disk. */
const MAX_LINES_PER_HOUR = 60
const MS_PER_HOUR = 3_600_000

interface Known {
  readonly commander: OnvifCommander
  readonly commanded: CommandedCamera
  readonly endpoint: OnvifEndpoint
  inputs: readonly DeviceInput[]
  /** Numbers of the inputs that have a picture. */
  online: ReadonlySet<number>
  listedAt: number
  storage: DeviceStorage | undefined
}

/** Looks after a recorder until it is disposed of. */
export function watchDevice(deps: DeviceWatchDeps): DeviceWatch {
  const watch = new Watch(deps)
  const running = watch.run().catch((err: unknown) => {
    deps.log.error({ err, deviceId: deps.device.deviceId }, 'a device is no longer watched because of a bug')
  })
  return {
    device: deps.device,
    onvif: () => watch.onvif(),
    command: (question) => watch.command(question),
    keepJobs: (jobs) => watch.keepJobs(jobs),
    async [Symbol.asyncDispose]() {
      watch.stopping.abort()
      await running
      await watch.ended()
    },
  }
}

class Watch {
  readonly stopping = new AbortController()
  readonly #deps: DeviceWatchDeps
  readonly #jobs: RunningJobs
  #known: Known | undefined
  /** Undefined before the first look. */
  #isOnline: boolean | undefined
  #refusals = 0
  #savingStep: Promise<void> = Promise.resolve()
  readonly #steps = new AdditionSteps(null, (step) => this.#saveStep(step))
  #hour = { beganAt: Number.NEGATIVE_INFINITY, lines: 0 }

  constructor(deps: DeviceWatchDeps) {
    this.#deps = deps
    this.#jobs = new RunningJobs({
      ...deps,
      target: {
        id: deps.device.deviceId,
        command: (question) => this.command(question),
        works: async () => (await this.#known?.commander.client.readClock())?.ok === true,
        device: () => this.#known?.commander,
        note: (line) => this.#note(line),
      },
    })
  }

  async run(): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      const waitMs = await this.#look().catch((err: unknown) => {
        if (!signal.aborted) this.#warn(err, 'could not save what a device reported')
        return RETRY_MS
      })
      if (waitMs === undefined) return
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async command<Name extends CameraCommandName>(
    question: CameraCommandQuestion<Name>,
  ): Promise<CameraCommandAnswer<Name>> {
    if (this.#known === undefined) return { kind: 'cameraOffline' }
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(COMMAND_MS)])
    return await giveOnvifCommand(this.#known.commanded, question, signal)
  }

  onvif(): OnvifCommander | undefined {
    return this.#known?.commander
  }

  /** One that hasn't responded yet is restarted later, or fails by the deadline of the job. */
  keepJobs(jobs: readonly OpenJob[]): void {
    if (this.#known !== undefined) this.#jobs.keep(jobs)
  }

  async ended(): Promise<void> {
    await this.#jobs[Symbol.asyncDispose]()
    await this.#known?.commanded.mover[Symbol.asyncDispose]()
  }

  /** One look at the device; how long to wait for the next one, undefined if there is none. */
  async #look(): Promise<number | undefined> {
    const known = this.#known
    const { now } = this.#deps
    const isDue = known === undefined || now() - known.listedAt >= LIST_EVERY_MS
    return isDue ? await this.#list() : await this.#glance(known)
  }

  /** Lists the inputs. At first this is the addition of the device. */
  async #list(): Promise<number | undefined> {
    const { device, connect, now, password } = this.#deps
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(LIST_MS)])
    const credentials = device.username === null ? undefined : { username: device.username, password: password ?? '' }
    const common = { credentials, connect, signal }
    const located = await this.#place(signal)
    if (located === undefined)
      return await this.#failed(fault('unreachable', 'no device with this MAC address was found'))
    const reachable = { ...device, address: located.address, namedPort: device.namedPort ?? located.port }
    const endpoint = this.#known?.endpoint ?? device.onvif
    const found = await findDevice(reachable, endpoint, { ...common, steps: this.#steps })
    await this.#savingStep
    if (this.stopping.signal.aborted) return undefined
    if (!found.ok) return await this.#failed(found.failure)
    const { camera, place } = found.value
    const reached = { ...place, certificate: camera.certificate }
    const address = { host: located.address, port: place.port, path: ONVIF_PATH, isSecure: place.isSecure }
    const commander = new OnvifCommander({
      address,
      credentials,
      allowBasic: device.allowBasic,
      certificate: camera.certificate,
      connect,
      stream: { mainPath: '', input: 1 },
    })
    const inputs = toInputs(camera)
    const live = await readLiveSources(commander, signal)
    if (!live.ok) return await this.#failed(live.failure)
    const online = onlineInputs(inputs, live.value)
    const resolved = await this.#deps.locator.macAddressAt(located.address)
    const macAddress = chooseMacAddress({ named: device.namedMacAddress, reported: camera.macAddresses, resolved })
    if (macAddress === undefined)
      return await this.#failed(fault('unreachable', `the device at ${located.address} has another MAC address`))
    const storage = await readStorage(commander, signal)
    const described = { ...camera, brand: camera.manufacturer, serial: camera.serialNumber, macAddress }
    const identified: IdentifiedDevice = {
      ...described,
      address: located.address,
      onvif: reached,
      inputs: inputs.map((input) => ({ ...input, online: online.has(input.channel) })),
    }
    const refusal = await saveIdentified(this.#deps.db, device, identified)
    if (refusal !== undefined) return await this.#refused(refusal)
    this.#noteInputs(this.#known?.online, online)
    const before = this.#known
    this.#known = {
      ...(before ?? commandedBy(commander)),
      endpoint: reached,
      inputs,
      online,
      listedAt: now(),
      storage,
    }
    await this.#succeeded(storage)
    if (device.additionStatus !== 'added') this.#deps.onSaved()
    return LOOK_EVERY_MS
  }

  /** Where the device is: at its address, or where its MAC address is now. */
  async #place(signal: AbortSignal): Promise<LocatedDevice | undefined> {
    const { device, locator } = this.#deps
    const { address, namedMacAddress, accountId } = device
    if (namedMacAddress === null || device.additionStatus === 'added') return { address, port: null }
    return await locator.locate(accountId, namedMacAddress, signal)
  }

  /** The device is another account's, or was just removed. */
  async #refused(subStatus: ClaimDenyReason): Promise<undefined> {
    const { device, db } = this.#deps
    await saveAdditionFailure(db, device, { subStatus, lastStep: 'signedIn' })
    this.#deps.onSaved()
  }

  /** Asks only which inputs have a picture. */
  async #glance(known: Known): Promise<number> {
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(COMMAND_MS)])
    const live = await readLiveSources(known.commander, signal)
    if (this.stopping.signal.aborted) return RETRY_MS
    if (!live.ok) return (await this.#failed(live.failure)) ?? RETRY_MS
    const online = onlineInputs(known.inputs, live.value)
    const isSame = online.size === known.online.size && [...online].every((channel) => known.online.has(channel))
    const hasNewStream = [...(live.value ?? [])].some((source) => isUnknown(known.inputs, source))
    if (!isSame) {
      await saveOnlineInputs(this.#deps.db, this.#deps.device, online)
      this.#noteInputs(known.online, online)
      known.online = online
    }
    if (known.storage !== undefined) known.storage = (await readStorage(known.commander, signal)) ?? known.storage
    await this.#succeeded(known.storage)
    // A camera that was plugged in has streams that weren't listed.
    if (hasNewStream) known.listedAt = Number.NEGATIVE_INFINITY
    return hasNewStream ? RETRY_MS : LOOK_EVERY_MS
  }

  async #succeeded(storage: DeviceStorage | undefined): Promise<void> {
    const { device, db, now } = this.#deps
    const { accountId, deviceId } = device
    this.#refusals = 0
    await saveDeviceStatus(db, {
      accountId,
      deviceId,
      online: true,
      result: 'ok',
      storage: storage ?? null,
      now: now(),
    })
    if (this.#isOnline !== true) this.#note({ level: 'info', event: 'connected', detail: 'the device responds' })
    this.#isOnline = true
  }

  async #failed(failure: CameraFault): Promise<number | undefined> {
    const { device, db, log, now } = this.#deps
    const { accountId, deviceId } = device
    // As with cameras, the names of the operator's network can't be tried out.
    const isHidden = looksUnreachable(failure.kind, device.address)
    const { kind, detail } = isHidden ? fault('unreachable', 'the device did not respond') : failure
    const isRefused = kind === 'credentialsIncorrect'
    if (device.additionStatus === 'inProgress' && this.#known === undefined) {
      const lastStep = this.#steps.failed(failure.kind)
      const elapsedMs = now() - device.additionStartedAt
      const subStatus = getFailure(failure, { elapsedMs, lastStep, address: device.address })
      if (subStatus === undefined) return RETRY_MS
      log.warn({ deviceId, fault: kind }, `a device could not be added: ${detail}`)
      await saveAdditionFailure(db, device, { subStatus, lastStep: toDeviceStep(lastStep) })
      this.#deps.onSaved()
      return undefined
    }
    const result = connectionResults[kind]
    await saveDeviceStatus(db, { accountId, deviceId, online: false, result, storage: null, now: now() })
    if (this.#isOnline !== false) {
      const lost = this.#isOnline === true ? 'connectionLost' : 'connectionFailed'
      this.#note({ level: isRefused ? 'error' : 'warning', event: isRefused ? 'credentialsRefused' : lost, detail })
    }
    this.#isOnline = false
    if (!isRefused) return LOOK_EVERY_MS
    const waitMs = REFUSED_RETRY_MS[Math.min(this.#refusals, REFUSED_RETRY_MS.length - 1)]
    this.#refusals++
    return waitMs
  }

  #saveStep(step: AdditionStep): void {
    const { device, db } = this.#deps
    const save = () => saveStep(db, device, toDeviceStep(step))
    this.#savingStep = this.#savingStep
      .then(save)
      .catch((err: unknown) => this.#warn(err, 'could not save a step of an addition'))
  }

  #noteInputs(before: ReadonlySet<number> | undefined, after: ReadonlySet<number>): void {
    if (before === undefined) return
    for (const channel of after)
      if (!before.has(channel)) this.#note({ level: 'info', event: 'channelOnline', detail: `input ${channel}` })
    for (const channel of before)
      if (!after.has(channel)) this.#note({ level: 'warning', event: 'channelOffline', detail: `input ${channel}` })
  }

  #note(line: Pick<DeviceLogRecord, 'level' | 'event' | 'detail'>): void {
    const { device, db, now } = this.#deps
    const at = now()
    if (at - this.#hour.beganAt >= MS_PER_HOUR) this.#hour = { beganAt: at, lines: 0 }
    this.#hour.lines++
    if (this.#hour.lines > MAX_LINES_PER_HOUR) return
    const { accountId, deviceId } = device
    insertDeviceLog(db, [{ accountId, deviceId, at, ...line }]).catch((err: unknown) =>
      this.#warn(err, 'could not write the log of a device'),
    )
  }

  #warn(err: unknown, text: string): void {
    this.#deps.log.warn({ err, deviceId: this.#deps.device.deviceId }, text)
  }
}

function commandedBy(commander: OnvifCommander): Pick<Known, 'commander' | 'commanded'> {
  const ptz = new PtzDevice(commander, null)
  const focus = new FocusMover(new FocusLens(commander))
  const wifi = new WifiDevice(commander)
  return { commander, commanded: { device: commander, ptz, mover: new PtzMover(ptz, {}), focus, wifi } }
}

/** A recorder has no picture and no recording of its own. */
const toDeviceStep = (step: AdditionStep | null): DeviceStep | null =>
  step === 'samplePicture' || step === 'recording' ? 'streams' : step

const isUnknown = (inputs: readonly DeviceInput[], source: string): boolean =>
  (inputs.find((input) => input.source === source)?.rtspPort ?? 0) === 0

/** Those with a stream that can be played and, if the device says so, with a picture. */
const onlineInputs = (inputs: readonly DeviceInput[], live: ReadonlySet<string> | undefined): ReadonlySet<number> =>
  new Set(
    inputs
      .filter(({ rtspPort, source }) => rtspPort > 0 && (live === undefined || live.has(source)))
      .map(({ channel }) => channel),
  )
