/** What people are told of, and the browsers that take messages for them: api.md §4. */
import { PUSH_KEYS } from '../arrange.ts'
import type { OperationCase } from '../operation.ts'

const toldOfCameras = { callers: 'members', right: 'editCamera', support: 'yes' } as const
const browsers = { callers: 'members', right: 'editCamera', support: 'no', apiKey: 'no' } as const
const ofSomebodyElse: OperationCase['except'] = ({ who: { is } }) =>
  is.kind === 'member' && !is.isOwner ? { verdict: 'absent', because: 'the browser is the owner’s alone' } : undefined

export const notifications: Readonly<Record<string, OperationCase>> = {
  getNotificationSettings: { law: toldOfCameras },
  patchNotificationSetting: {
    law: toldOfCameras,
    send: () => ({ params: { type: 'cameraDown' }, body: { alertDelay: 5 } }),
  },
  getSupportedNotificationSettings: { law: toldOfCameras },
  getPushSettings: { law: toldOfCameras },
  getPushDevices: { law: { ...browsers, visitor: 'no' } },
  putPushDevice: {
    law: browsers,
    send: ({ fresh }) => ({
      body: { platform: 'web', subscription: { endpoint: `https://push.example/${fresh}`, keys: PUSH_KEYS } },
    }),
  },
  deletePushDevice: { law: browsers, except: ofSomebodyElse },
  testPushDevice: {
    law: browsers,
    except: ofSomebodyElse,
    silent: 'it changes nothing but when it may be tried again',
    also: { 429: 'a device is tried once in ten seconds' },
  },
}
