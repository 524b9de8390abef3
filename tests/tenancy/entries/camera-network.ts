/** The network settings, the password, the users, the inputs and the outputs of cameras. */
import type { OperationCase } from '../operation.ts'

const editing = { callers: 'members', right: 'editCamera', support: 'yes' } as const
const viewingPorts = {
  callers: 'members',
  right: 'deviceIORead',
  orRight: 'deviceIOWrite',
  support: 'yes',
  module: true,
} as const
const ntp = { enabled: true, dhcp: true }

export const cameraNetwork: Readonly<Record<string, OperationCase>> = {
  getCameraNetwork: { policy: editing },
  setCameraPassword: {
    policy: editing,
    send: ({ fresh }) => ({ body: { password: fresh, allowPlainText: true } }),
  },
  getCameraUsers: { policy: editing },
  postCameraUser: {
    policy: editing,
    send: () => ({ body: { username: 'night', password: 'a password', level: 'operator', allowPlainText: true } }),
  },
  patchCameraUser: { policy: editing, send: () => ({ params: { username: 'guard' }, body: { level: 'user' } }) },
  deleteCameraUser: { policy: editing, send: () => ({ params: { username: 'guard' } }) },
  patchCameraNetwork: { policy: editing, send: () => ({ body: { ntp } }) },
  getCameraPorts: { policy: viewingPorts },
  getCameraPort: { policy: viewingPorts, send: () => ({ params: { portId: 'output-1' } }) },
  patchCameraPort: {
    policy: { callers: 'members', right: 'deviceIOWrite', support: 'no', module: true },
    send: ({ fresh }) => ({ params: { portId: 'output-1' }, body: { state: 'active', name: fresh } }),
  },
  getMobileNetwork: {
    policy: { ...editing, module: true },
    also: { 422: 'not a body-worn camera' },
  },
  putMobileNetwork: {
    policy: { ...editing, module: true },
    send: ({ fresh }) => ({
      body: { name: fresh, accessPointName: 'internet', mobileCountryCode: '310', mobileNetworkCode: '260' },
    }),
    also: { 422: 'not a body-worn camera' },
    silent: 'not a body-worn camera',
  },
}
