/** The network settings, the password and the users of cameras. */
import type { OperationCase } from '../operation.ts'

const editing = { callers: 'members', right: 'editCamera', support: 'yes' } as const
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
}
