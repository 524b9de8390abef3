import { type CameraConnect, type FollowEventsOptions, followEvents } from '../source/index.ts'
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
}

const ONVIF_PATH = '/onvif/device_service'

const rtspDriver: CameraDriver = { protocol: 'rtsp', follow: () => Promise.resolve() }

export function openDriver(
  { address, username, allowBasic, onvif, motionSources }: CameraToServe,
  { password, connect }: { readonly password: string | undefined; readonly connect: CameraConnect },
): CameraDriver {
  if (onvif === null) return rtspDriver
  const { port, isSecure, certificate } = onvif
  return {
    protocol: 'onvif',
    follow: (reports, signal) =>
      followEvents({
        ...reports,
        address: { host: address, port, path: ONVIF_PATH, isSecure },
        credentials: username === null ? undefined : { username, password: password ?? '' },
        allowBasic,
        certificate,
        sources: motionSources,
        connect,
        signal,
      }),
  }
}
