/** Recorders with their inputs, jobs and logs: api.md §9, §20; product.md "Support sessions". */
import type { OperationCase, RequestScene } from '../operation.ts'

const seeing = { callers: 'members', right: 'CameraView', support: 'yes' } as const
const editing = { callers: 'members', right: 'editCamera', support: 'yes' } as const
const adding = { callers: 'members', right: 'addCameraManually', support: 'yes' } as const

/** The zone of the device of the caller's account. */
const zoneOfDevice = ({ who: { is }, ids }: RequestScene): number =>
  is.kind === 'member' ? is.account.zones.second : ids.zone

/** The first input of the device. */
const firstInput = () => ({ params: { channelId: '1' } })

export const devices: Readonly<Record<string, OperationCase>> = {
  getDevices: { policy: seeing },
  postDevice: {
    policy: adding,
    send: ({ ids, fresh }) => ({ body: { name: fresh, zoneId: ids.zone, address: `${fresh.toLowerCase()}.example` } }),
    except: ({ who: { is }, ids }) =>
      is.kind === 'member' && is.reach !== 'all' && !is.reach.zones.includes(ids.zone)
        ? { verdict: 'absent', because: 'devices are added to zones that are the caller’s as a whole' }
        : undefined,
  },
  getDevice: { policy: seeing },
  patchDevice: { policy: editing, send: ({ fresh }) => ({ body: { name: fresh } }) },
  'patchDevice to another zone': {
    policy: editing,
    send: (scene) => ({ body: { zoneId: zoneOfDevice(scene) } }),
    silent: 'it is there already',
  },
  deleteDevice: {
    policy: { callers: 'members', right: 'deleteCamera', support: 'no' },
    also: { 400: 'without a password nothing is removed' },
    silent: 'without a password nothing is removed',
  },
  getDeviceAddition: { policy: { ...adding, orRight: 'addPnpCamera' } },
  getDeviceStatus: { policy: seeing },
  getRecorderInfo: { policy: seeing },
  getSingularRecorderInfo: { policy: seeing },
  getDeviceConnection: { policy: editing },
  getDeviceCredentials: { policy: editing },
  patchDeviceCredentials: {
    policy: editing,
    send: ({ fresh }) => ({ body: { username: fresh, password: 'secret' } }),
  },
  getDeviceUsers: { policy: editing },
  postDeviceUser: {
    policy: editing,
    send: () => ({ body: { username: 'night', password: 'a password', level: 'operator', allowPlainText: true } }),
  },
  patchDeviceUser: { policy: editing, send: () => ({ params: { username: 'guard' }, body: { level: 'user' } }) },
  deleteDeviceUser: { policy: editing, send: () => ({ params: { username: 'guard' } }) },
  getDeviceChannels: { policy: seeing },
  getDeviceChannel: { policy: seeing, send: firstInput },
  postChannelCamera: {
    policy: adding,
    send: (scene) => ({ ...firstInput(), body: { name: scene.fresh, zoneId: zoneOfDevice(scene) } }),
    also: { 409: 'the input is a camera already' },
    silent: 'the input may be a camera already',
  },
  getChannelSnapshot: {
    policy: { callers: 'members', right: 'CameraView', support: 'video' },
    send: firstInput,
    records: 'what support sees is told the owner',
  },
  getDeviceJobs: { policy: editing },
  getDeviceJob: { policy: editing },
  deleteDeviceJob: {
    policy: editing,
    also: { 409: 'a job that has ended can’t be canceled' },
    silent: 'a job that has ended can’t be canceled',
  },
  rebootDevice: {
    policy: editing,
    also: { 409: 'the device is restarting already' },
    silent: 'the device may be restarting already',
  },
  getDeviceFirmware: { policy: editing },
  upgradeDeviceFirmware: {
    policy: { ...editing, support: 'no' },
    send: () => ({ body: {} }),
    also: { 409: 'no newer firmware is offered' },
    silent: 'no newer firmware is offered',
  },
  getDeviceLogs: { policy: { callers: 'members', right: 'logFiles', support: 'yes' } },
}
