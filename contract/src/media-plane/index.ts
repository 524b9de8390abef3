import type { MotionPreview, MotionPreviewQuestion } from '../detectors/index.ts'
import type { ClipSound } from '../footage-proof/index.ts'
import type { StreamName } from '../streams/index.ts'
import type { CameraCommandAnswer, CameraCommandName, CameraCommandQuestion } from './camera-commands.ts'
import type { DiscoveryQuestion, JoinedDiscovery } from './discovery.ts'

export type {
  CameraCard,
  CameraCommandAnswer,
  CameraCommandFailure,
  CameraCommandName,
  CameraCommandQuestion,
  CameraCommands,
  CameraPicture,
  ClockAnswer,
} from './camera-commands.ts'
export type {
  ConnectionFailure,
  FoundConnection,
  PasswordChange,
  PasswordChangeAnswer,
  PasswordDenyReason,
  TriedConnection,
  TriedConnectionAnswer,
  TriedSignIn,
  TriedSignInAnswer,
} from './connection-commands.ts'
export {
  type DiscoveredCamera,
  type DiscoveryAnswer,
  type DiscoveryQuestion,
  type DiscoveryState,
  type JoinedDiscovery,
  type LocatedCamera,
  MAX_SWEEP_ADDRESSES,
} from './discovery.ts'
export type { FocusAbilities, FocusAction } from './focus-commands.ts'
export type { CameraNetworkChange, NetworkChangeAnswer, NetworkState } from './network-commands.ts'
export type { CameraPortState, PortSwitch, SwitchedPort } from './port-commands.ts'
export type {
  CameraPreset,
  NewPtzPreset,
  PtzAbilities,
  PtzAction,
  PtzActionAnswer,
  PtzVelocity,
  SavedPtzPreset,
} from './ptz-commands.ts'
export type { CameraUserChange, CameraUserChangeAnswer, ListedUser, UserDenyReason } from './user-commands.ts'
export type { ScannedNetwork, WifiChange, WifiChangeAnswer, WifiState } from './wifi-commands.ts'

/**
 * The interface of the media plane for the API. In one process tree these are messages to the worker of the camera, on
 * several machines calls to it.
 */
export interface MediaPlane {
  /** Whether the workers can measure how loud AAC and Opus are. */
  readonly decodesSound: boolean
  /** Whether the workers make JPEGs of live video. */
  readonly makesPictures: boolean
  /** What can be re-encoded for exports on this machine: sound that players don't know, and pictures with text in them. */
  readonly encodes: { readonly sound: boolean; readonly pictures: boolean }
  /** The latest keyframe of a camera, or why there is none. */
  snapshot(question: { cameraId: number; format: SnapshotFormat }): Promise<SnapshotAnswer>
  /** The picture of a camera's footage at a time, or why there is none. */
  recordedPicture(question: RecordedPictureQuestion): Promise<RecordedPictureAnswer>
  /** Until when one machine has the footage of a span: a file ends there. Milliseconds since 1970. */
  clipEnd(question: ClipEndQuestion): Promise<number>
  /** The signed clip of one camera, of the ticket in an address below the media plane's; the signal ends it. */
  exportedClip(address: string, signal: AbortSignal): Promise<ExportedClipAnswer>
  /** Asks a camera to do something; only the worker that serves it connects to it. */
  command<Name extends CameraCommandName>(question: CameraCommandQuestion<Name>): Promise<CameraCommandAnswer<Name>>
  /** One step of talking through a camera's loudspeaker, answered when the next one may come. */
  talk(question: TalkQuestion): Promise<TalkAnswer>
  /** Begins a search for cameras, or tells how it goes. */
  discovery(question: DiscoveryQuestion): Promise<JoinedDiscovery>
  /** What the motion detection of a camera finds now, or would find at another sensitivity. */
  motionPreview(question: MotionPreviewQuestion): Promise<MotionPreview>
  /** Cameras were added, changed or removed: the workers read them again at once instead of after some seconds. */
  camerasChanged(): void
  /** Someone added an event to a camera; `at` in milliseconds since 1970. A camera that records on events records it. */
  eventAdded(event: { cameraId: number; at: number }): void
}

/**
 * `mp4` is the keyframe as one sample and needs no decoder; the others need one on the server. In a `blurredJpeg`,
 * faces, license plates and texts can't be recognized. It is the format for support while the owner hides video.
 */
export type SnapshotFormat = 'mp4' | 'jpeg' | 'blurredJpeg'

export interface PictureAnswer {
  readonly kind: 'picture'
  readonly contentType: 'image/jpeg' | 'video/mp4'
  readonly bytes: Uint8Array
  /** Milliseconds since 1970. */
  readonly takenAt: number
}

export type SnapshotAnswer = PictureAnswer | { readonly kind: 'cameraOffline' | 'noDecoder' | 'timedOut' }

export interface RecordedPictureQuestion {
  readonly accountId: number
  readonly cameraId: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** `mp4` is the key picture from which the picture can be decoded. */
  readonly format: SnapshotFormat
  /** Of a clear JPEG, if smaller than the footage: pixels; the height follows. */
  readonly width?: number
}

export interface ClipEndQuestion {
  readonly accountId: number
  readonly cameraId: number
  readonly stream: StreamName
  readonly from: number
  readonly till: number
}

/** `away`: the machine with the footage can't be reached. `busy`: too many exports read footage there. `noEncoder`: that machine can't draw into pictures; `codecChange`: not into these, whose codec changes. */
export type ExportedClipAnswer =
  | {
      readonly kind: 'clip'
      /** About how many there are: without the manifest at the end. */
      readonly bytes: number
      /** Undefined if a machine of an older version doesn't say it. */
      readonly sound: ClipSound | undefined
      /** Times without footage, the first of them; milliseconds since 1970. */
      readonly gaps: readonly { readonly from: number; readonly till: number }[]
      /** How many there are in all. */
      readonly allGaps: number
      /** The pictures were re-encoded. */
      readonly isDerived: boolean
      /** The brand's logo is in them. */
      readonly hasLogo?: boolean
      /** So many times faster than it was recorded. */
      readonly speed?: number
      /** Rejects if they end too early. */
      readonly chunks: AsyncIterable<Uint8Array>
    }
  | { readonly kind: 'noFootage' | 'away' | 'busy' | 'noEncoder' | 'codecChange' }

export type RecordedPictureAnswer = PictureAnswer | { readonly kind: 'noFootage' | 'noDecoder' | 'timedOut' }

/** The law that G.711 sound is coded by: µ-law or A-law. */
export type G711Law = 'PCMU' | 'PCMA'

/** G.711, one byte a sample, 8000 a second; or AAC in ADTS frames (ISO 13818-7 §6.2), cut anywhere, which the worker decodes. */
export type TalkCoding = G711Law | 'AAC'

/** A step has half a second of sound at most. `talkId` is the same for all steps. */
export type TalkQuestion = { readonly cameraId: number; readonly talkId: string } & (
  | { readonly step: 'open'; readonly coding: TalkCoding }
  | { readonly step: 'close' }
  | { readonly step: 'sound'; readonly sound: Uint8Array }
)

/**
 * `ended`: no more sound is taken; `notSound`: it isn't AAC. Other answers say why it didn't open; `busy`: someone else talks;
 * `overloaded`: as many talks are decoded as may be at once.
 */
export interface TalkAnswer {
  readonly kind:
    | 'open'
    | 'ended'
    | 'busy'
    | 'noDecoder'
    | 'notSound'
    | 'overloaded'
    | 'noLoudspeaker'
    | 'credentialsIncorrect'
    | 'rejected'
    | 'cameraOffline'
    | 'timedOut'
}
