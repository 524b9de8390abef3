import { setTimeout as sleep } from 'node:timers/promises'
import { addCamera } from '@sightline/api'
import { type AdditionSubStatus, newCamera } from '@sightline/contract/camera-additions'
import type { Clock } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import type { EnvelopeEncryption } from '@sightline/platform/envelope-encryption'
import { fail, ok, type Result } from '@sightline/platform/result'
import { changeNetwork, listNetworks } from './networks-store.ts'
import { type CameraCommand, type CameraOptions, type NetworkChange, USAGE } from './options.ts'
import { findZones, listAccountIds, listCameras, loadAddition } from './store.ts'

interface CameraCommandDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly encryption: EnvelopeEncryption
  readonly clock: Clock
  readonly askPassword: (question: string) => Promise<string>
  /** How long to wait for the worker; a minute by default. */
  readonly waitMs?: number
}

const WAIT_MS = 60_000
const LOOK_EVERY_MS = 500

const reasons: Readonly<Partial<Record<AdditionSubStatus, string>>> = {
  deviceOffline: 'It does not respond. Check its power, its network and the address.',
  credentialsIncorrect: 'It rejected the user name or password.',
  unsupportedDevice: 'It offers no H.264 or H.265 video that was found. Try --path, or switch on ONVIF.',
  addressNotAllowed: 'Its network is not allowed. Add the network to SIGHTLINE_CAMERA_NETWORKS and start again.',
}

/** Runs the operator's command as the database's owner; returns the text to print, or a sentence about the error. */
export async function runCommand(command: CameraCommand, deps: CameraCommandDeps): Promise<Result<string, string>> {
  switch (command.kind) {
    case 'help':
      return ok(USAGE)
    case 'list': {
      const cameras = await listCameras(deps.db, command.accountId)
      const lines = cameras.map(({ cameraId, accountId, name, address, state }) =>
        [cameraId, accountId, address, state, name].join('  '),
      )
      return ok(lines.length === 0 ? 'There are no cameras.\n' : `${lines.join('\n')}\n`)
    }
    case 'networks':
      return networks(command.accountId, command.change, deps)
    case 'add':
      return add(command.accountId, command.camera, deps)
  }
}

/** Lists the assigned networks, after a change if there is one. The workers obey it within seconds. */
async function networks(
  account: number | undefined,
  change: NetworkChange | undefined,
  { db, ids }: CameraCommandDeps,
): Promise<Result<string, string>> {
  if (change !== undefined) {
    const accountId = await chooseAccount(db, account)
    if (!accountId.ok) return accountId
    const changed = await changeNetwork(db, { ids, accountId: accountId.value, change })
    if (!changed.ok) return changed
  }
  const lines = (await listNetworks(db, account)).map(({ accountId, network }) => `${accountId}  ${network}`)
  if (lines.length > 0) return ok(`${lines.join('\n')}\n`)
  return ok('No networks are assigned. Every account has those of SIGHTLINE_CAMERA_NETWORKS.\n')
}

async function add(
  account: number | undefined,
  camera: CameraOptions,
  deps: CameraCommandDeps,
): Promise<Result<string, string>> {
  const { db, ids, encryption, clock } = deps
  const accountId = await chooseAccount(db, account)
  if (!accountId.ok) return accountId
  const zoneId = await chooseZone(db, accountId.value, camera.zone)
  if (!zoneId.ok) return zoneId
  const { name, address, port, username, streamPath, subStreamPath, https, channel } = camera
  const parsed = newCamera.safeParse({
    name,
    address,
    zoneId: zoneId.value,
    ...(port === undefined ? {} : { port }),
    ...(streamPath === undefined ? {} : { streamPath }),
    ...(subStreamPath === undefined ? {} : { subStreamPath }),
    ...(https === undefined ? {} : { https }),
    ...(channel === undefined ? {} : { channel }),
    ...(username === undefined ? {} : { username, password: await deps.askPassword(`Password of ${username}: `) }),
  })
  if (!parsed.success)
    return fail(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
  const added = await addCamera(db, {
    accountId: accountId.value,
    given: parsed.data,
    ids,
    encryption,
    now: clock.now(),
  })
  if (!added.ok) return added
  return waitForResult(deps, { accountId: accountId.value, cameraId: added.value, name })
}

async function chooseAccount(db: Db, wanted: number | undefined): Promise<Result<number, string>> {
  const all = await listAccountIds(db)
  if (wanted !== undefined) return all.includes(wanted) ? ok(wanted) : fail(`Account ${wanted} not found.`)
  const [only, ...others] = all
  if (only === undefined) return fail('There is no account yet. Open the link that the first start prints.')
  return others.length === 0 ? ok(only) : fail('There are several accounts. Choose one with --account.')
}

async function chooseZone(db: Db, accountId: number, name: string | undefined): Promise<Result<number, string>> {
  const zones = await findZones(db, accountId)
  const zone = name === undefined ? zones[0] : zones.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (zone !== undefined) return ok(zone.zoneId)
  return fail(`Zone not found. The account has: ${zones.map((one) => one.name).join(', ')}.`)
}

const inputsOf = (channels: number): string =>
  channels > 1 ? ` The device has ${channels} inputs: choose another one with --channel.` : ''

async function waitForResult(
  { db, waitMs = WAIT_MS }: CameraCommandDeps,
  camera: { readonly accountId: number; readonly cameraId: number; readonly name: string },
): Promise<Result<string, string>> {
  const until = performance.now() + waitMs
  for (;;) {
    const addition = await loadAddition(db, camera)
    const inputs = inputsOf(addition?.channels ?? 0)
    if (addition?.status === 'added')
      return ok(`Added ${camera.name} (id ${camera.cameraId}). It is being recorded.${inputs}\n`)
    if (addition?.status === 'failure') {
      const reason = reasons[addition.subStatus as AdditionSubStatus] ?? 'See the log of the server.'
      return fail(`${camera.name} couldn't be added. ${reason}${inputs}`)
    }
    if (performance.now() >= until)
      return fail(`${camera.name} is still being added (id ${camera.cameraId}). Is Sightline running?`)
    await sleep(LOOK_EVERY_MS)
  }
}
