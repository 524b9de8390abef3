import type { CameraClockAnswer } from '@sightline/contract/media-plane'
import {
  type CameraConnect,
  type ClockFault,
  type FollowEventsOptions,
  followEvents,
  setOnvifClock,
} from '../source/index.ts'
import type { CameraToServe } from './store.ts'

/** What a camera reports besides its streams. */
export type CameraReports = Pick<FollowEventsOptions, 'onState' | 'onMotion' | 'onClock'>

/**
 * What a camera can do depends on what it speaks. Its streams are RTSP in any case; what it detects is known only by ONVIF. The
 * channel asks its driver and doesn't know which one it has.
 */
export interface CameraDriver {
  readonly protocol: 'onvif' | 'rtsp'
  /** Follows what the camera detects until the signal aborts; a camera that reports nothing is followed at no cost. Never rejects. */
  follow(reports: CameraReports, signal: AbortSignal): Promise<void>
  /** Sets the camera's clock to ours. */
  setClock(signal: AbortSignal): Promise<CameraClockAnswer>
}

const ONVIF_PATH = '/onvif/device_service'

const rtspDriver: CameraDriver = {
  protocol: 'rtsp',
  follow: () => Promise.resolve(),
  setClock: async () => ({ kind: 'noOnvif' }),
}

export function openDriver(
  { address, username, allowBasic, onvif, motionSources }: CameraToServe,
  { password, connect }: { readonly password: string | undefined; readonly connect: CameraConnect },
): CameraDriver {
  if (onvif === null) return rtspDriver
  const { port, isSecure, certificate } = onvif
  const camera = {
    address: { host: address, port, path: ONVIF_PATH, isSecure },
    credentials: username === null ? undefined : { username, password: password ?? '' },
    allowBasic,
    certificate,
    connect,
  }
  let followed: Parameters<NonNullable<FollowEventsOptions['onClient']>>[0] | undefined
  return {
    protocol: 'onvif',
    follow: (reports, signal) =>
      followEvents({
        ...reports,
        ...camera,
        sources: motionSources,
        onClient: (client) => {
          followed = client
        },
        signal,
      }),
    async setClock(signal) {
      const set = await setOnvifClock({ ...camera, signal })
      if (!set.ok) return { kind: toAnswerKind(set.failure) }
      // The times of its events are read with the new clock.
      await followed?.readClock()
      return { kind: 'set', ...set.value }
    },
  }
}

function toAnswerKind(fault: ClockFault): Exclude<CameraClockAnswer['kind'], 'set'> {
  if (fault.kind !== 'failed') return fault.kind
  const { kind } = fault.fault
  if (kind === 'credentialsIncorrect' || kind === 'authenticationUnsupported') return 'credentialsIncorrect'
  if (kind === 'timeout') return 'timedOut'
  return kind === 'badReply' ? 'rejected' : 'cameraOffline'
}
