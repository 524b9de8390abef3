import type { CameraCommandAnswer, CameraCommandName, CameraCommandQuestion } from '@sightline/contract/media-plane'
import {
  type CameraConnect,
  type CameraHabits,
  CameraPorts,
  FocusLens,
  type FollowEventsOptions,
  followEvents,
  OnvifCommander,
  PtzDevice,
  WifiDevice,
} from '../source/index.ts'
import { FocusMover } from './focus-mover.ts'
import { giveOnvifCommand } from './onvif-commands.ts'
import { PtzMover } from './ptz-mover.ts'
import type { CameraToServe } from './store.ts'

/** What a camera reports besides its streams. */
export type CameraReports = Pick<FollowEventsOptions, 'onState' | 'onMotion' | 'onClock' | 'pirInputs'>

/**
 * What a camera can do depends on what it speaks. Its streams are RTSP in any case; what it detects is known only by ONVIF. The
 * channel asks its driver and doesn't know which one it has.
 */
export interface CameraDriver extends AsyncDisposable {
  readonly protocol: 'onvif' | 'rtsp'
  /** Follows what the camera detects until the signal aborts; a camera that reports nothing is followed at no cost. Never rejects. */
  follow(reports: CameraReports, signal: AbortSignal): Promise<void>
  /** The client for its requests; undefined without ONVIF. */
  readonly device: OnvifCommander | undefined
  /** Asks the camera to do something. */
  command<Name extends CameraCommandName>(
    question: Pick<CameraCommandQuestion<Name>, 'name' | 'input'>,
    signal: AbortSignal,
  ): Promise<CameraCommandAnswer<Name>>
}

const ONVIF_PATH = '/onvif/device_service'

const rtspDriver: CameraDriver = {
  protocol: 'rtsp',
  device: undefined,
  follow: () => Promise.resolve(),
  command: async () => ({ kind: 'noOnvif' }),
  [Symbol.asyncDispose]: async () => undefined,
}

export function openDriver(
  { address, username, allowBasic, onvif, motionSources, mainPath, input }: CameraToServe,
  {
    password,
    connect,
    habits,
  }: { readonly password: string | undefined; readonly connect: CameraConnect; readonly habits: CameraHabits },
): CameraDriver {
  if (onvif === null) return rtspDriver
  const { port, isSecure, certificate } = onvif
  const camera = {
    address: { host: address, port, path: ONVIF_PATH, isSecure },
    credentials: username === null ? undefined : { username, password: password ?? '' },
    allowBasic,
    certificate,
    connect,
    habits,
  }
  // A stop must not wait for other requests, so movement has its own connection.
  const open = () => new OnvifCommander({ ...camera, stream: { mainPath, input } })
  const ptz = new PtzDevice(open(), motionSources)
  const device = open()
  const ports = new CameraPorts(device)
  // The ports of a recorder are no camera's.
  const commanded = {
    device,
    ptz,
    mover: new PtzMover(ptz, habits),
    focus: new FocusMover(new FocusLens(device)),
    wifi: new WifiDevice(device, habits),
    ports: motionSources === null ? ports : undefined,
  }
  let followed: Parameters<NonNullable<FollowEventsOptions['onClient']>>[0] | undefined
  return {
    protocol: 'onvif',
    device: commanded.device,
    follow: (reports, signal) =>
      followEvents({
        ...reports,
        ...camera,
        onState(state) {
          if (state.kind !== 'following') ports.forget()
          reports.onState(state)
        },
        onPort: (notice) => ports.note(notice),
        sources: motionSources,
        onClient: (client) => {
          followed = client
        },
        signal,
      }),
    async command(question, signal) {
      const answer = await giveOnvifCommand(commanded, question, signal)
      // The times of its events are read with the new clock.
      if (question.name === 'setClock' && answer.kind === 'done') await followed?.readClock()
      return answer
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([commanded.mover, commanded.focus].map((each) => each[Symbol.asyncDispose]()))
    },
  }
}
