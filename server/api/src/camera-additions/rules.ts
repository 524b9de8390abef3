import type { AdditionStatus, NewCamera } from '@sightline/contract/camera-additions'
import type { ApiError } from '@sightline/contract/errors'

/** Why this server can't add a camera that way; undefined if it can. */
export function unsupportedAddition({
  https,
  streamPath,
  subStreamPath,
  ethMacAddress,
  channel,
}: NewCamera): ApiError | undefined {
  if (ethMacAddress !== undefined)
    return { error: 'mediaNotSupported', detail: 'ethMacAddress: cameras are added by their address' }
  if (https === true && streamPath === undefined)
    return {
      error: 'mediaNotSupported',
      detail: 'https: needs streamPath; without it, the server finds out what the camera has',
    }
  if (channel !== undefined && streamPath !== undefined) {
    const message = 'only without streamPath'
    return { error: 'validation', detail: `channel ${message}`, fields: [{ field: 'channel', message }] }
  }
  if (subStreamPath !== undefined && (streamPath === undefined || subStreamPath === streamPath)) {
    const message = streamPath === undefined ? 'needs streamPath' : 'must be another path than streamPath'
    return { error: 'validation', detail: `subStreamPath ${message}`, fields: [{ field: 'subStreamPath', message }] }
  }
  return undefined
}

/** The same for the same stream of a camera, however it is written. The first input is that without a number. */
export const connectionKey = ({ address, port, streamPath, channel = 1 }: NewCamera): string =>
  JSON.stringify([address, port ?? null, streamPath ?? null, ...(channel === 1 ? [] : [channel])])

/** What the audit log keeps of a new camera. Never the password. */
export const toAuditSettings = (camera: NewCamera) => {
  const { name, zoneId, address, port, username, streamPath, subStreamPath, https, allowBasic, channel } = camera
  return {
    name,
    zoneId,
    address,
    ...(port === undefined ? {} : { port }),
    ...(username === undefined ? {} : { username }),
    ...(streamPath === undefined ? {} : { streamPath }),
    ...(subStreamPath === undefined ? {} : { subStreamPath }),
    ...(channel === undefined ? {} : { channel }),
    ...(https === true ? { https } : {}),
    ...(allowBasic === true ? { allowBasic } : {}),
  }
}

/** Whether someone who knows that status has something new to learn; without one, only the end is news. */
export const isNews = (status: AdditionStatus, known: AdditionStatus | undefined): boolean =>
  known === undefined ? status === 'added' || status === 'failure' : status !== known
