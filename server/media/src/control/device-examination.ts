import type { CameraAbilities } from '@sightline/contract/camera-capabilities'
import type { ComparedDevice } from '@sightline/contract/camera-replacements'
import { ok, type Result } from '@sightline/platform/result'
import type { TrackConfig } from '../frame/index.ts'
import {
  type CameraConnect,
  type CameraCredentials,
  type CameraFault,
  newCounters,
  OnvifCommander,
  playRtsp,
  readAbilities,
} from '../source/index.ts'
import { type AdditionSteps, stepOfRtsp } from './addition-steps.ts'
import type { IdentifiedCamera } from './addition-store.ts'
import { identifyCamera, ONVIF_PATH } from './camera-addition.ts'
import type { CameraToServe } from './store.ts'

/** A device that is looked at before a camera is connected to it. */
export type Candidate = Pick<
  CameraToServe,
  'address' | 'namedPort' | 'rtspPort' | 'mainPath' | 'subPath' | 'isSecure' | 'allowBasic' | 'input'
>

export interface ExaminedDevice {
  /** What ONVIF told; undefined if the owner named the stream. */
  readonly identified: IdentifiedCamera | undefined
  /** SHA-256 of the certificate of its stream. */
  readonly certificate: Buffer | undefined
  readonly compared: ComparedDevice
}

interface ExaminationDeps {
  readonly candidate: Candidate
  readonly credentials: CameraCredentials | undefined
  readonly connect: CameraConnect
  readonly signal: AbortSignal
  readonly steps: AdditionSteps
}

/** Until a device that plays has sent a picture. */
const PICTURE_MS = 30_000
const ABILITIES_MS = 30_000

/** Goes through the steps of an addition up to a sample picture, without recording or keeping anything of the device. */
export async function examineDevice(deps: ExaminationDeps): Promise<Result<ExaminedDevice, CameraFault>> {
  const { candidate } = deps
  deps.steps.begin()
  const found = candidate.rtspPort > 0 ? undefined : await identifyCamera({ ...deps, camera: candidate })
  if (found?.ok === false) return found
  const identified = found?.value
  const stream = identified ?? candidate
  const sample = await takeSample(deps, stream)
  if (!sample.ok) return sample
  const { tracks, certificate } = sample.value
  const abilities = identified === undefined ? null : await askAbilities(deps, identified)
  return ok({ identified, certificate, compared: toCompared(tracks, { abilities, stream, identified }) })
}

interface Sample {
  readonly tracks: readonly TrackConfig[]
  readonly certificate: Buffer | undefined
}

/** Plays the main stream until its first whole picture. */
async function takeSample(
  { candidate, credentials, connect, signal, steps }: ExaminationDeps,
  { rtspPort, mainPath, isSecure }: Pick<Candidate, 'rtspPort' | 'mainPath' | 'isSecure'>,
): Promise<Result<Sample, CameraFault>> {
  const enough = new AbortController()
  let tracks: readonly TrackConfig[] = []
  let certificate: Buffer | undefined
  let hasPicture = false
  const ended = await playRtsp({
    address: { host: candidate.address, port: rtspPort, path: mainPath, isSecure },
    ...(credentials === undefined ? {} : { credentials }),
    allowBasic: candidate.allowBasic,
    connect,
    signal: AbortSignal.any([signal, enough.signal, AbortSignal.timeout(PICTURE_MS)]),
    counters: newCounters(),
    onCertificate: (sha256) => {
      certificate = sha256
    },
    onStep: (step) => steps.reached(stepOfRtsp[step]),
    publish(message) {
      if (message.kind === 'tracks') tracks = message.tracks
      else if (message.unit.kind === 'video') {
        hasPicture = true
        enough.abort()
      }
    },
  })
  if (!hasPicture) return { ok: false, failure: ended }
  steps.reached('samplePicture')
  return ok({ tracks, certificate })
}

/** Null if it doesn't say. */
async function askAbilities(
  { candidate, credentials, connect, signal }: ExaminationDeps,
  { onvif, mainPath }: IdentifiedCamera,
): Promise<CameraAbilities | null> {
  const commander = new OnvifCommander({
    address: { host: candidate.address, port: onvif.port, path: ONVIF_PATH, isSecure: onvif.isSecure },
    credentials,
    allowBasic: candidate.allowBasic,
    certificate: onvif.certificate,
    connect,
    stream: { mainPath, input: candidate.input },
  })
  const asked = await readAbilities(commander, AbortSignal.any([signal, AbortSignal.timeout(ABILITIES_MS)]))
  return asked.ok ? asked.value : null
}

function toCompared(
  tracks: readonly TrackConfig[],
  {
    abilities,
    stream,
    identified,
  }: {
    readonly abilities: CameraAbilities | null
    readonly stream: Pick<Candidate, 'subPath'>
    readonly identified: IdentifiedCamera | undefined
  },
): ComparedDevice {
  const video = tracks.find((track) => track.kind === 'video')
  return {
    codec: video?.codec ?? null,
    width: video?.width ?? null,
    height: video?.height ?? null,
    audioCodec: tracks.find((track) => track.kind === 'audio')?.codec ?? null,
    hasSubStream: stream.subPath !== null,
    isOnvif: identified !== undefined,
    abilities,
  }
}
