/** Notification settings and push devices: api.md §4. */
import { PUSH_KEYS } from '../arrange.ts'
import type { OperationCase } from '../operation.ts'
import { reachable } from './people.ts'

const toldOfCameras = { callers: 'members', right: 'editCamera', support: 'yes' } as const
const browsers = { callers: 'members', right: 'editCamera', support: 'no', apiKey: 'no' } as const
const ofSomebodyElse: OperationCase['except'] = ({ who: { is } }) =>
  is.kind === 'member' && !is.isOwner ? { verdict: 'absent', because: 'the browser is the owner’s alone' } : undefined

export const notifications: Readonly<Record<string, OperationCase>> = {
  getNotificationSettings: { policy: toldOfCameras },
  patchNotificationSetting: {
    policy: toldOfCameras,
    send: (scene) => ({
      params: { type: 'cameraDown' },
      // A zone can be named by whoever can reach a camera in it.
      body: { alertDelay: 5, cameraIds: reachable(scene), zoneIds: reachable(scene).map(() => scene.ids.zone) },
    }),
  },
  getSupportedNotificationSettings: { policy: toldOfCameras },
  getPushSettings: { policy: toldOfCameras },
  getPushDevices: { policy: { ...browsers, visitor: 'no' } },
  putPushDevice: {
    policy: browsers,
    send: ({ fresh }) => ({
      body: { platform: 'web', subscription: { endpoint: `https://push.example/${fresh}`, keys: PUSH_KEYS } },
    }),
  },
  deletePushDevice: { policy: browsers, except: ofSomebodyElse },
  testPushDevice: {
    policy: browsers,
    except: ofSomebodyElse,
    silent: 'it changes nothing but when it may be tried again',
    also: { 429: 'a device is tried once in ten seconds' },
  },
}
