import type { Client } from '@sightline/client'
import type { CheckUpFinding, CheckUpFix } from '@sightline/contract/camera-check-ups'
import { setCameraClock } from '@sightline/contract/camera-clock'
import {
  getCameraConnection,
  patchCameraConnection,
  patchCameraCredentials,
  setCameraPassword,
} from '@sightline/contract/camera-connection'
import { patchCameraMode } from '@sightline/contract/camera-modes'
import { patchCameraNetwork } from '@sightline/contract/camera-network'
import { getVideoSettings, patchVideoSettings } from '@sightline/contract/camera-settings'
import { formatEdgeStorage } from '@sightline/contract/edge-storage'
import { upgradeCameraFirmware } from '@sightline/contract/firmware'
import type { Route } from '@sightline/contract/wire'
import type { Text } from './text.ts'

/** A finding that is mended in another tab: something has to be entered there. */
export interface FixLink {
  /** The user needs to be allowed to make this call. */
  readonly route: Route
  readonly button: Text
  readonly tab: 'network' | 'recording'
  /** The field there, as `FieldInView` names it. */
  readonly field: string
}

export const fixLinks: Readonly<Partial<Record<CheckUpFix, FixLink>>> = {
  changePassword: { route: setCameraPassword, button: 'Change password', tab: 'network', field: 'camera-password' },
  enterSignIn: { route: patchCameraCredentials, button: 'Enter sign-in', tab: 'network', field: 'sign-in' },
  recordEarlier: { route: patchCameraMode, button: 'Record earlier', tab: 'recording', field: 'pre-roll' },
}

/** Numbers for the question before. */
export type FixPlan = Readonly<Record<'from' | 'to', number>>

/** How a finding is mended: by a call that other screens make too. */
export interface Fix {
  /** The user needs to be allowed to make this call. */
  readonly route: Route
  readonly button: Text
  /** What it costs: asked before. */
  readonly warning?: { readonly title: Text; readonly text: Text; readonly isDangerous: boolean }
  /** What will be changed, read before the question; undefined: nothing can be changed. */
  readonly plan?: (client: Client, cameraId: number) => Promise<FixPlan | undefined>
  /** Said if there is no plan. */
  readonly impossible?: Text
  /** Afterwards. `started`: it takes a while. */
  readonly success: Text
  readonly run: (
    client: Client,
    of: { readonly cameraId: number; readonly finding: CheckUpFinding; readonly plan: FixPlan | undefined },
  ) => Promise<unknown>
  readonly messages: Readonly<Record<number, Text>>
}

const offline = 'The camera is offline. Try again when it is back.'
const rejected = 'The camera rejected its password. Its user needs to be an administrator of the camera.'
const noBandwidth =
  'The camera’s bandwidth can’t be lowered from here. Check the network, or change the bandwidth in the camera’s own settings.'
const atWork = 'Another job is running on this camera. Try again when it has finished.'

/** Two seconds: often enough for the beginning of each clip, seldom enough to cost little bandwidth. */
const KEYFRAME_SECONDS = 2

async function setKeyframeInterval(client: Client, cameraId: number): Promise<unknown> {
  const params = { cameraId }
  const { framesPerSecond, options } = await client.call(getVideoSettings, { params })
  const { min = 1, max = Number.MAX_SAFE_INTEGER } = options.keyframeInterval ?? {}
  const wanted = Math.round((framesPerSecond ?? 15) * KEYFRAME_SECONDS)
  const keyframeInterval = Math.min(max, Math.max(min, wanted))
  return await client.call(patchVideoSettings, { params, body: { keyframeInterval } })
}

/** A quarter less each time: enough to be felt, and little of the picture is lost. */
const KEPT_SHARE = 0.75
/** Less shows nothing. */
const MIN_KBITS = 256

async function planBandwidth(client: Client, cameraId: number): Promise<FixPlan | undefined> {
  const { maxBandwidth: from, options } = await client.call(getVideoSettings, { params: { cameraId } })
  if (from === null) return undefined
  const to = Math.max(options.maxBandwidth?.min ?? 0, MIN_KBITS, Math.round(from * KEPT_SHARE))
  return to < from ? { from, to } : undefined
}

/** Asks the camera for its streams again; the address stays. */
async function useSubStream(client: Client, cameraId: number): Promise<unknown> {
  const params = { cameraId }
  const { https } = await client.call(getCameraConnection, { params })
  return await client.call(patchCameraConnection, { params, body: { https } })
}

const connectionMessages = {
  6: 'This camera is an input of a recorder. Its connection is that of the recorder.',
  11: 'The camera only accepts its password unencrypted. Allow that under “Network”, or use another camera.',
  12: 'The camera rejected the saved user name and password. Nothing was changed.',
  13: 'The camera doesn’t offer this. Nothing was changed.',
  14: 'The camera doesn’t respond this way. Nothing was changed.',
  19: 'The camera didn’t respond in time. Nothing was changed.',
} as const satisfies Readonly<Record<number, Text>>

export const fixes: Readonly<Partial<Record<CheckUpFix, Fix>>> = {
  setClock: {
    route: setCameraClock,
    button: 'Set clock',
    success: 'Clock set',
    run: (client, { cameraId }) => client.call(setCameraClock, { params: { cameraId } }),
    messages: {
      6: 'The camera gets its time from a time server. Check it in the camera’s own settings.',
      12: rejected,
      13: 'The camera didn’t set its clock.',
      18: offline,
    },
  },
  turnOffNtp: {
    route: patchCameraNetwork,
    button: 'Set clock without time server',
    warning: {
      title: 'Stop using the time server?',
      text: 'This sets the camera’s clock to the server’s time. Without a time server, the clock can drift. You can set it again here.',
      isDangerous: false,
    },
    success: 'Clock set. The camera no longer uses a time server.',
    run: (client, { cameraId }) =>
      client.call(patchCameraNetwork, { params: { cameraId }, body: { ntp: { enabled: false } } }),
    messages: {
      11: 'The camera doesn’t offer this. Nothing was changed.',
      12: rejected,
      13: 'The camera didn’t set its clock.',
      18: offline,
    },
  },
  lowerBandwidth: {
    route: patchVideoSettings,
    button: 'Lower bandwidth',
    plan: planBandwidth,
    impossible: noBandwidth,
    warning: {
      title: 'Lower the bandwidth?',
      text: 'The camera will send at most {to} kbit/s instead of {from} kbit/s. Live video and recordings will lose some detail.',
      isDangerous: false,
    },
    success: 'Bandwidth lowered',
    run: (client, { cameraId, plan }) =>
      client.call(patchVideoSettings, { params: { cameraId }, body: { maxBandwidth: plan?.to ?? 0 } }),
    messages: { 3: noBandwidth, 11: noBandwidth, 12: rejected, 13: noBandwidth, 18: offline },
  },
  setKeyframeInterval: {
    route: patchVideoSettings,
    button: 'Send keyframes more often',
    success: 'Keyframe interval set to about 2 seconds',
    run: (client, { cameraId }) => setKeyframeInterval(client, cameraId),
    messages: {
      3: 'The camera can’t be set to this. Change the keyframe interval in the camera’s own settings.',
      12: rejected,
      13: 'The camera can’t be set to this. Change the keyframe interval in the camera’s own settings.',
      18: offline,
    },
  },
  useSubStream: {
    route: patchCameraConnection,
    button: 'Use second stream',
    success: 'The camera’s streams are used as it offers them now',
    run: (client, { cameraId }) => useSubStream(client, cameraId),
    messages: connectionMessages,
  },
  useTls: {
    route: patchCameraConnection,
    button: 'Try encrypted connection',
    success: 'The connection is encrypted',
    run: (client, { cameraId }) => client.call(patchCameraConnection, { params: { cameraId }, body: { https: true } }),
    messages: connectionMessages,
  },
  formatCard: {
    route: formatEdgeStorage,
    button: 'Format card',
    warning: {
      title: 'Format this card?',
      text: 'All footage on the card will be permanently deleted. Footage on the server is kept.',
      isDangerous: true,
    },
    success: 'Formatting has begun',
    run: (client, { cameraId, finding }) =>
      client.call(formatEdgeStorage, { params: { cameraId, edgeStorageId: Number(finding.subject) } }),
    messages: { 6: atWork, 18: offline },
  },
  upgradeFirmware: {
    route: upgradeCameraFirmware,
    button: 'Upgrade firmware',
    warning: {
      title: 'Upgrade the firmware?',
      text: 'The camera sends no video for some minutes and recording pauses until it is back. Don’t switch it off meanwhile.',
      isDangerous: false,
    },
    success: 'Firmware upgrade started',
    run: (client, { cameraId, finding }) =>
      client.call(upgradeCameraFirmware, { params: { cameraId }, body: { version: finding.subject ?? '' } }),
    messages: {
      6: atWork,
      11: 'The firmware of this camera can’t be upgraded from here.',
      18: offline,
    },
  },
}
