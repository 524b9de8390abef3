import type { MotionPreview, MotionPreviewQuestion } from '@sightline/contract/detectors'
import type { ExportOrder, ExportSubject } from '@sightline/contract/footage-proof'
import type {
  CameraCommandAnswer,
  CameraCommandQuestion,
  DiscoveryAnswer,
  DiscoveryQuestion,
  RecordedPictureAnswer,
  RecordedPictureQuestion,
  SnapshotAnswer,
  SnapshotFormat,
  TalkAnswer,
  TalkQuestion,
} from '@sightline/contract/media-plane'
import type { ChainHead } from '../recording/index.ts'
import type { FootageBucket } from './footage-copier.ts'
import type { KeyAnswer, KeyQuestion } from './key-messages.ts'
import type { StreamLimits } from './open-streams.ts'
import type { WorkerFigures } from './worker-figures.ts'

/** The UDP port for viewers of a worker. */
export interface WebRtcSettings {
  /** The address to listen on. */
  readonly host: string
  readonly port: number
  /** IP addresses where viewers reach it. */
  readonly addresses: readonly string[]
}

/** What a media worker needs to start; crosses a process border. */
export interface WorkerSettings<Connection> {
  readonly workerId: string
  /** All workers that start together. */
  readonly peers: readonly string[]
  readonly connection: Connection
  readonly encryptsFootage: boolean
  /** The name of the disk with the folder of all footage: `disk` on the machine with the front. */
  readonly disk: string
  /** No other machine keeps footage: nothing is looked for on other disks. */
  readonly isOnlyDisk: boolean
  /** Folder of all footage. */
  readonly store: string
  /** Oldest footage is deleted above this size; undefined keeps what retention allows. */
  readonly storeLimitBytes: number | undefined
  /** Where footage is copied to, if it is; with its secret. */
  readonly s3: FootageBucket | undefined
  /** For media that waits for a slow disk or slow viewers. */
  readonly memoryBytes: number
  readonly legalFolder: string
  /** Networks (CIDR) that cameras may be in, in addition to public ones. */
  readonly cameraNetworks: readonly string[]
  /** Path of a decoder, if the operator has one. */
  readonly ffmpeg: string | undefined
  /** So many cameras the decoder watches for motion; 0: none. */
  readonly motionCameras: number
  /** Of so many camera streams it makes JPEGs at a time; 0: none. */
  readonly pictureStreams: number
  readonly streamLimits: StreamLimits
  /** Live video over WebRTC; undefined if it is off. */
  readonly webRtc: WebRtcSettings | undefined
  /** The address for sockets that can't be handed over (TLS). */
  readonly socketPath: string
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'; readonly format: 'json' | 'text' }
}

/** An opening handshake that the edge has read; the socket itself is sent with the message. */
export interface StreamRequest {
  /** GET by default. What it sends is the `head`. */
  readonly method?: 'POST' | 'DELETE' | 'OPTIONS' | undefined
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The viewer's, for the audit log. */
  readonly address: string
}

export type ToWorker =
  | { readonly kind: 'stream'; readonly request: StreamRequest; readonly head: Uint8Array }
  | { readonly kind: 'snapshot'; readonly id: number; readonly cameraId: number; readonly format: SnapshotFormat }
  | { readonly kind: 'recordedPicture'; readonly id: number; readonly question: RecordedPictureQuestion }
  | { readonly kind: 'command'; readonly id: number; readonly question: CameraCommandQuestion }
  | { readonly kind: 'motionPreview'; readonly id: number; readonly question: MotionPreviewQuestion }
  | { readonly kind: 'talk'; readonly id: number; readonly question: TalkQuestion }
  | { readonly kind: 'discovery'; readonly id: number; readonly question: DiscoveryQuestion }
  /** A right, token or session was removed. */
  | { readonly kind: 'revoked' }
  /** Cameras were added, changed or removed. */
  | { readonly kind: 'camerasChanged' }
  /** Workers have left: others take over their cameras. */
  | { readonly kind: 'workersChanged' }
  /** Someone added an event to a camera. */
  | { readonly kind: 'eventAdded'; readonly cameraId: number; readonly at: number }
  | { readonly kind: 'figures'; readonly id: number }
  | { readonly kind: 'keys'; readonly id: number; readonly answer: KeyAnswer }
  | { readonly kind: 'permit'; readonly id: number; readonly isGranted: boolean }
  /** Without a line if the worker may not have it signed. */
  | { readonly kind: 'exportSigned'; readonly id: number; readonly line?: string }

export type FromWorker =
  /** The cameras that the worker serves now. */
  | { readonly kind: 'cameras'; readonly ids: readonly number[] }
  /** Whether the other workers see that this one lives. */
  | { readonly kind: 'seen'; readonly isSeen: boolean }
  | { readonly kind: 'keys'; readonly id: number; readonly question: KeyQuestion }
  /** May a stream be opened? All workers together count against the limits. */
  | { readonly kind: 'permit'; readonly id: number; readonly person: string; readonly accountId: number }
  /** The stream of that permit has ended. */
  | { readonly kind: 'permitReleased'; readonly id: number }
  /** Sign what is said of an exported file. */
  | { readonly kind: 'signExport'; readonly id: number; readonly subject: ExportSubject; readonly order: ExportOrder }
  | { readonly kind: 'heads'; readonly heads: readonly ChainHead[] }
  | { readonly kind: 'snapshot'; readonly id: number; readonly answer: SnapshotAnswer }
  | { readonly kind: 'recordedPicture'; readonly id: number; readonly answer: RecordedPictureAnswer }
  | { readonly kind: 'command'; readonly id: number; readonly answer: CameraCommandAnswer }
  | { readonly kind: 'motionPreview'; readonly id: number; readonly answer: MotionPreview }
  | { readonly kind: 'talk'; readonly id: number; readonly answer: TalkAnswer }
  | { readonly kind: 'discovery'; readonly id: number; readonly answer: DiscoveryAnswer }
  | { readonly kind: 'health'; readonly problems: readonly string[] }
  | { readonly kind: 'figures'; readonly id: number; readonly figures: WorkerFigures }
