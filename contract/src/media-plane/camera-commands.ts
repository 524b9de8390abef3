import type { CameraAbilities } from '../camera-capabilities/index.ts'
import type { CameraVideo, VideoSettingsPatch } from '../camera-settings/index.ts'
import type { EdgeStorage } from '../edge-storage/index.ts'
import type {
  PasswordChange,
  PasswordChangeAnswer,
  TriedConnection,
  TriedConnectionAnswer,
  TriedSignIn,
  TriedSignInAnswer,
} from './connection-commands.ts'
import type { FocusAbilities, FocusAction } from './focus-commands.ts'
import type { CameraNetworkChange, NetworkChangeAnswer, NetworkState } from './network-commands.ts'
import type { CameraPortState, PortSwitch, SwitchedPort } from './port-commands.ts'
import type {
  CameraPreset,
  NewPtzPreset,
  PtzAbilities,
  PtzAction,
  PtzActionAnswer,
  SavedPtzPreset,
} from './ptz-commands.ts'
import type { CameraUserChange, CameraUserChangeAnswer, ListedUser } from './user-commands.ts'
import type { ScannedNetwork, WifiChange, WifiChangeAnswer, WifiState } from './wifi-commands.ts'

/** What a camera can be asked to do. `input` is null where nothing needs to be said, `output` where nothing comes back. */
export interface CameraCommands {
  /** Sets the camera's clock to the server's time. */
  readonly setClock: CameraCommand<null, ClockAnswer>
  /** The camera's cards. */
  readonly readEdgeStorage: CameraCommand<null, readonly CameraCard[]>
  /** Begins to format a card; done when the camera has accepted that. */
  readonly formatEdgeStorage: CameraCommand<Pick<CameraCard, 'edgeStorageId'>, null>
  /** Restarts the camera, which keeps its settings; done when it has accepted that. */
  readonly reboot: CameraCommand<null, null>
  /** Turns the camera and zooms, or ends that. */
  readonly ptz: CameraCommand<PtzAction, PtzActionAnswer>
  readonly ptzAbilities: CameraCommand<null, PtzAbilities>
  readonly ptzPresets: CameraCommand<null, readonly CameraPreset[]>
  readonly savePtzPreset: CameraCommand<NewPtzPreset, SavedPtzPreset>
  readonly removePtzPreset: CameraCommand<
    Pick<CameraPreset, 'presetId'>,
    { readonly kind: 'removed' | 'presetNotFound' }
  >
  /** Moves the lens, or turns on autofocus. */
  readonly focus: CameraCommand<FocusAction, null>
  readonly focusAbilities: CameraCommand<null, FocusAbilities>
  /** Its relay outputs and digital inputs. */
  readonly readPorts: CameraCommand<null, readonly CameraPortState[]>
  readonly switchPort: CameraCommand<PortSwitch, SwitchedPort>
  readonly readWifi: CameraCommand<null, WifiState>
  /** Those that the camera is set up for; with `scan` those that it receives too. */
  readonly readWifiNetworks: CameraCommand<{ readonly scan: boolean }, readonly ScannedNetwork[]>
  readonly changeWifi: CameraCommand<WifiChange, WifiChangeAnswer>
  /** Its address, DNS servers, ports and time servers. */
  readonly readNetwork: CameraCommand<null, NetworkState>
  readonly changeNetwork: CameraCommand<CameraNetworkChange, NetworkChangeAnswer>
  /** Asks the camera what it can do; the worker stores the answer. */
  readonly readAbilities: CameraCommand<null, CameraAbilities>
  readonly readVideoSettings: CameraCommand<null, CameraVideo>
  /** The output is read from the camera afterwards. */
  readonly writeVideoSettings: CameraCommand<VideoSettingsPatch, CameraVideo>
  /** Signs in to the camera in another way than the stored one; changes nothing. Works while the camera is offline. */
  readonly tryConnection: CameraCommand<TriedConnection, TriedConnectionAnswer>
  /** Signs in to a recorder with other credentials than the stored ones; changes nothing. Works while it rejects those. */
  readonly trySignIn: CameraCommand<TriedSignIn, TriedSignInAnswer>
  /** Sets the password of a user in the camera, which is asked with the one in the message, not with the stored one. */
  readonly changePassword: CameraCommand<PasswordChange, PasswordChangeAnswer>
  /** The users that the camera itself has; never with a password. */
  readonly readUsers: CameraCommand<null, readonly ListedUser[]>
  readonly changeUsers: CameraCommand<CameraUserChange, CameraUserChangeAnswer>
  /** Takes the camera's own snapshot of one of its profiles. A recorder has profiles of several inputs. */
  readonly profilePicture: CameraCommand<{ readonly profile: string }, CameraPicture>
}

interface CameraCommand<Input, Output> {
  readonly input: Input
  readonly output: Output
}

/** How far a camera's clock was ahead and is ahead now, in milliseconds; one that uses NTP isn't set. */
export type ClockAnswer =
  | { readonly kind: 'set'; readonly aheadBeforeMs: number; readonly aheadMs: number }
  | { readonly kind: 'usesNtp' }

/** A card as the camera says; times in milliseconds since 1970, by the server's clock. */
export interface CameraCard extends Omit<EdgeStorage, 'recordedFrom' | 'recordedUntil'> {
  readonly recordedFrom: number | null
  readonly recordedUntil: number | null
}

/** A picture that the camera made. */
export interface CameraPicture {
  /** JPEG. */
  readonly bytes: Uint8Array
}

export type CameraCommandName = keyof CameraCommands

/** A command to one camera. */
export interface CameraCommandQuestion<Name extends CameraCommandName = CameraCommandName> {
  readonly cameraId: number
  readonly name: Name
  readonly input: CameraCommands[Name]['input']
}

/** `detail`: a sentence for people, in English, never with a password. */
export type CameraCommandAnswer<Name extends CameraCommandName = CameraCommandName> =
  | { readonly kind: 'done'; readonly output: CameraCommands[Name]['output'] }
  | { readonly kind: CameraCommandFailure; readonly detail?: string }

export type CameraCommandFailure =
  /** The camera is connected in a way that knows no commands. */
  | 'noOnvif'
  /** The camera says that it can't do this. */
  | 'unsupported'
  | 'credentialsIncorrect'
  /** The camera refused, or accepted without doing it. */
  | 'rejected'
  | 'cameraOffline'
  | 'timedOut'
