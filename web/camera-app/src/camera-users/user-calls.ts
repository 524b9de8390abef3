import type { Client } from '@sightline/client'
import {
  type CameraUserPatch,
  deleteCameraUser,
  getCameraUsers,
  type NewCameraUser,
  patchCameraUser,
  postCameraUser,
} from '@sightline/contract/camera-users'
import { deleteDeviceUser, getDeviceUsers, patchDeviceUser, postDeviceUser } from '@sightline/contract/device-users'
import { queryOptions } from '@tanstack/react-query'

/** A camera or recorder that has users of its own. */
export interface HostKey {
  readonly kind: 'camera' | 'recorder'
  readonly id: number
}

/** The users of a camera or recorder, as it lists them now. */
export const usersQuery = (client: Client, { kind, id }: HostKey) =>
  queryOptions({
    queryKey: [kind === 'camera' ? 'cameras' : 'devices', id, 'connection/users'],
    queryFn: ({ signal }) =>
      kind === 'camera'
        ? client.call(getCameraUsers, { params: { cameraId: id } }, { signal })
        : client.call(getDeviceUsers, { params: { deviceId: id } }, { signal }),
    staleTime: 0,
    retry: false,
  })

export const addUser = (client: Client, { kind, id }: HostKey, body: NewCameraUser) =>
  kind === 'camera'
    ? client.call(postCameraUser, { params: { cameraId: id }, body })
    : client.call(postDeviceUser, { params: { deviceId: id }, body })

interface NamedUser extends HostKey {
  readonly username: string
}

export const changeUser = (client: Client, { kind, id, username }: NamedUser, body: CameraUserPatch) =>
  kind === 'camera'
    ? client.call(patchCameraUser, { params: { cameraId: id, username }, body })
    : client.call(patchDeviceUser, { params: { deviceId: id, username }, body })

export const removeUser = (client: Client, { kind, id, username }: NamedUser) =>
  kind === 'camera'
    ? client.call(deleteCameraUser, { params: { cameraId: id, username } })
    : client.call(deleteDeviceUser, { params: { deviceId: id, username } })
