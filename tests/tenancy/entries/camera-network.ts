/** The network settings and the password of cameras. */
import type { OperationCase } from '../operation.ts'

const editing = { callers: 'members', right: 'editCamera', support: 'yes' } as const
const ntp = { enabled: true, dhcp: true }

export const cameraNetwork: Readonly<Record<string, OperationCase>> = {
  getCameraNetwork: { policy: editing },
  setCameraPassword: {
    policy: editing,
    send: ({ fresh }) => ({ body: { password: fresh, allowPlainText: true } }),
  },
  patchCameraNetwork: { policy: editing, send: () => ({ body: { ntp } }) },
}
