import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import type { OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import type { HttpAddress } from './onvif-http.ts'
import { onReachedHost } from './onvif-services.ts'
import { element, neededText } from './shapes.ts'
import { escapeXml } from './xml.ts'

/** A snapshot that takes longer is of no use to who waits for it. */
const PICTURE_MS = 2000
/** A JPEG of 4K has less. */
const MAX_PICTURE_BYTES = 8 * 1024 * 1024

const uriShape = z.object({ MediaUri: element(z.object({ Uri: neededText })) })
const uri2Shape = z.object({ Uri: neededText })

/** The camera's own snapshot of a profile (ONVIF Media §5.19, Media2 §5.13), as a JPEG. */
export async function takeProfilePicture(
  device: OnvifCommander,
  profile: string,
  signal: AbortSignal,
): Promise<OnvifResult<{ readonly bytes: Uint8Array }>> {
  return await device.pictureSlots.run(async () => {
    const address = await pictureAddress(device, profile, signal)
    if (!address.ok) return address
    const limits = { timeoutMs: PICTURE_MS, maxReplyBytes: MAX_PICTURE_BYTES }
    const picture = await device.client.download({ ...limits, address: address.value, signal })
    const isJpeg = picture.ok && picture.value[0] === 0xff && picture.value[1] === 0xd8
    // A camera may move its snapshots, for example when it gets another firmware.
    if (!isJpeg) device.pictureAddresses.delete(profile)
    if (!picture.ok) return picture
    return isJpeg ? ok({ bytes: picture.value }) : fail({ ...fault('badReply', 'expected a JPEG'), isRefusal: true })
  })
}

async function pictureAddress(
  device: OnvifCommander,
  profile: string,
  signal: AbortSignal,
): Promise<OnvifResult<HttpAddress>> {
  const known = device.pictureAddresses.get(profile)
  if (known !== undefined) return ok(known)
  const named = await namedAddress(device, profile, signal)
  if (!named.ok) return named
  const services = await device.services()
  if (!services.ok) return services
  const { media2, media } = services.value
  const address = onReachedHost(device.client.address, named.value, (media ?? media2)?.named)
  if (address === undefined) return fail(fault('badReply', 'expected an http URL of the snapshot, got something else'))
  device.pictureAddresses.set(profile, address)
  return ok(address)
}

/** By the older service, which more cameras have this in, then by Media2. */
async function namedAddress(
  device: OnvifCommander,
  profile: string,
  signal: AbortSignal,
): Promise<OnvifResult<string>> {
  const content = `<o:ProfileToken>${escapeXml(profile)}</o:ProfileToken>`
  const older = await device.call('media', 'GetSnapshotUri', { content, shape: uriShape, signal })
  if (older.ok) return ok(older.value.MediaUri.Uri)
  if (older.failure.isRefusal !== true) return older
  const newer = await device.call('media2', 'GetSnapshotUri', { content, shape: uri2Shape, signal })
  if (newer.ok) return ok(newer.value.Uri)
  return newer.failure.isUnsupported === true ? older : newer
}
