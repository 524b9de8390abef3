import type {
  CameraCommandAnswer,
  CameraCommandName,
  CameraCommandQuestion,
  CameraCommands,
} from '@sightline/contract/media-plane'
import { fail, type Result } from '@sightline/platform/result'
import {
  type CameraPorts,
  changeNetwork,
  fault,
  formatCard,
  type OnvifCommander,
  type OnvifFault,
  type PtzDevice,
  readAbilities,
  readCards,
  readNetwork,
  readUsers,
  readVideoSettings,
  restartDevice,
  setOnvifClock,
  takeProfilePicture,
  type WifiDevice,
  writeVideoSettings,
} from '../source/index.ts'
import type { FocusMover } from './focus-mover.ts'
import type { PtzMover } from './ptz-mover.ts'

/** A camera to which commands are given, with what is kept between them. */
export interface CommandedCamera {
  readonly device: OnvifCommander
  readonly ptz: PtzDevice
  readonly mover: PtzMover
  readonly focus: FocusMover
  readonly wifi: WifiDevice
  /** Undefined where they aren't the camera's own. */
  readonly ports?: CameraPorts | undefined
}

/** Does what was asked, by ONVIF. */
type OnvifCommand<Name extends CameraCommandName> = (
  camera: CommandedCamera,
  input: CameraCommands[Name]['input'],
  signal: AbortSignal,
) => Promise<Result<CameraCommands[Name]['output'], OnvifFault>>

const noPorts = fail({ ...fault('badReply', 'the inputs and outputs are those of a recorder'), isUnsupported: true })

const commands: { readonly [Name in CameraCommandName]: OnvifCommand<Name> } = {
  setClock: ({ device }, _input, signal) => setOnvifClock(device, signal),
  readEdgeStorage: ({ device }, _input, signal) => readCards(device, signal),
  formatEdgeStorage: ({ device }, { edgeStorageId }, signal) => formatCard(device, edgeStorageId, signal),
  reboot: ({ device }, _input, signal) => restartDevice(device, signal),
  // Not with the signal of who asked: what was begun has to be ended.
  ptz: ({ mover }, action) => mover.act(action),
  focus: ({ focus }, action) => focus.act(action),
  focusAbilities: ({ focus }, _input, signal) => focus.abilities(signal),
  ptzAbilities: ({ mover }, _input, signal) => mover.abilities(signal),
  ptzPresets: ({ ptz }, _input, signal) => ptz.presets(signal),
  savePtzPreset: ({ ptz }, preset, signal) => ptz.save(preset, signal),
  removePtzPreset: ({ ptz }, { presetId }, signal) => ptz.remove(presetId, signal),
  readPorts: async ({ ports }, _input, signal) => (ports === undefined ? noPorts : await ports.list(signal)),
  switchPort: async ({ ports }, input, signal) => (ports === undefined ? noPorts : await ports.switch(input, signal)),
  readWifi: ({ wifi }, _input, signal) => wifi.state(signal),
  readWifiNetworks: ({ wifi }, { scan }, signal) => wifi.networks(scan, signal),
  changeWifi: ({ wifi }, change, signal) => wifi.change(change, signal),
  readNetwork: ({ device }, _input, signal) => readNetwork(device, signal),
  changeNetwork: ({ device }, change, signal) => changeNetwork(device, change, signal),
  readAbilities: ({ device }, _input, signal) => readAbilities(device, signal),
  readVideoSettings: ({ device }, _input, signal) => readVideoSettings(device, signal),
  writeVideoSettings: ({ device }, patch, signal) => writeVideoSettings(device, patch, signal),
  // Another connection than the one of these commands: tried-connection.ts.
  tryConnection: async () => fail({ ...fault('badReply', 'not by the stored connection'), isUnsupported: true }),
  // With other credentials: tried-sign-in.ts.
  trySignIn: async () => fail({ ...fault('badReply', 'not by the stored sign-in'), isUnsupported: true }),
  // With passwords of its own: password-change.ts.
  changePassword: async () => fail({ ...fault('badReply', 'not by the stored sign-in'), isUnsupported: true }),
  readUsers: ({ device }, _input, signal) => readUsers(device, signal),
  // With passwords that have to be opened: user-changes.ts.
  changeUsers: async () => fail({ ...fault('badReply', 'not with sealed passwords'), isUnsupported: true }),
  profilePicture: ({ device }, { profile }, signal) => takeProfilePicture(device, profile, signal),
}

/** Gives one command to a camera. Never rejects, unless because of a bug. */
export async function giveOnvifCommand<Name extends CameraCommandName>(
  camera: CommandedCamera,
  { name, input }: Pick<CameraCommandQuestion<Name>, 'name' | 'input'>,
  signal: AbortSignal,
): Promise<CameraCommandAnswer<Name>> {
  const command: OnvifCommand<Name> = commands[name]
  const given = await command(camera, input, signal)
  return given.ok ? { kind: 'done', output: given.value } : toFailure(given.failure)
}

/** Why a camera didn't do what it was asked. */
export function toFailure({
  kind,
  detail,
  isRefusal,
  isUnsupported,
}: OnvifFault): Exclude<CameraCommandAnswer, { kind: 'done' }> {
  if (kind === 'credentialsIncorrect' || kind === 'authenticationUnsupported')
    return { kind: 'credentialsIncorrect', detail }
  if (isUnsupported === true) return { kind: 'unsupported', detail }
  if (isRefusal === true || kind === 'badReply') return { kind: 'rejected', detail }
  return kind === 'timeout' ? { kind: 'timedOut', detail } : { kind: 'cameraOffline', detail }
}
