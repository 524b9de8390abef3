import { randomBytes } from 'node:crypto'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import { informationShape, toInformation } from './onvif-camera.ts'
import { DEVICE, type OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import type { HttpAddress } from './onvif-http.ts'
import { onReachedHost } from './onvif-services.ts'
import type { OnvifUpload, UploadReply } from './onvif-transfers.ts'
import { neededText, text } from './shapes.ts'
import { envelope, parseReply } from './soap.ts'

/** Where a camera takes its new firmware. */
export interface FirmwareUpload {
  readonly address: HttpAddress
  /** How long it wants to be left alone before. */
  readonly delayMs: number
  /** How long it says that it will be away afterwards. */
  readonly downTimeMs: number
}

const MAX_DELAY_MS = 5 * 60_000
const MAX_DOWN_TIME_MS = 15 * 60_000
const MS_PER_MINUTE = 60_000

const uploadShape = z.object({ UploadUri: neededText, UploadDelay: text, ExpectedDownTime: text })

/** An xs:duration of minutes and seconds, as cameras send it; 0 if it is something else. */
function durationMs(duration: string | undefined, most: number): number {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^PT(?:(\d{1,3})H)?(?:(\d{1,5})M)?(?:(\d{1,6}(?:\.\d{1,9})?)S)?$/.exec(duration?.trim() ?? '') ?? []
  return Math.min(most, (Number(hours) * 60 + Number(minutes)) * MS_PER_MINUTE + Number(seconds) * 1000)
}

/** Asks a camera to prepare for new firmware (ONVIF Core §8.3.10). */
export async function startFirmwareUpgrade(
  device: OnvifCommander,
  signal: AbortSignal,
): Promise<OnvifResult<FirmwareUpload>> {
  const reply = await device.call('device', 'StartFirmwareUpgrade', { shape: uploadShape, timeoutMs: 30_000, signal })
  if (!reply.ok) return reply
  const { UploadUri, UploadDelay, ExpectedDownTime } = reply.value
  const address = onReachedHost(device.client.address, UploadUri, undefined)
  if (address === undefined) return fail(fault('badReply', 'expected an http URL for the upload, got something else'))
  return ok({
    address,
    delayMs: durationMs(UploadDelay, MAX_DELAY_MS),
    downTimeMs: durationMs(ExpectedDownTime, MAX_DOWN_TIME_MS),
  })
}

/** What a camera says that it is now. */
export async function readVersion(
  device: OnvifCommander,
  signal: AbortSignal,
): Promise<OnvifResult<{ readonly brand: string; readonly model: string; readonly firmwareVersion: string }>> {
  const reply = await device.call('device', 'GetDeviceInformation', { shape: informationShape, signal })
  return reply.ok ? ok(toInformation(reply.value)) : reply
}

const OPERATION = 'UpgradeSystemFirmware'
const LINE = '\r\n'

/**
 * Sends an image in one message (ONVIF Core §8.3.9, XOP), to cameras that don't know StartFirmwareUpgrade. `isUnsupported` in the
 * fault: it doesn't know this either.
 */
export async function upgradeSystemFirmware(
  device: OnvifCommander,
  { sizeBytes, parts, ...rest }: Pick<OnvifUpload, 'sizeBytes' | 'parts' | 'timeoutMs' | 'signal'>,
): Promise<OnvifResult<UploadReply>> {
  const { client } = device
  const boundary = `sightline-${randomBytes(12).toString('hex')}`
  const type = 'application/soap+xml'
  const included =
    `<o:${OPERATION} xmlns:o="${DEVICE}"><o:Firmware><x:Include xmlns:x="http://www.w3.org/2004/08/xop/include" ` +
    `href="cid:firmware@sightline"/></o:Firmware></o:${OPERATION}>`
  const partHead = (id: string, contentType: string, encoding: string) =>
    [
      `--${boundary}`,
      `Content-Type: ${contentType}`,
      `Content-Transfer-Encoding: ${encoding}`,
      `Content-ID: <${id}>`,
      '',
      '',
    ].join(LINE)
  const root = partHead('message@sightline', `application/xop+xml; charset=utf-8; type="${type}"`, '8bit')
  const before = Buffer.from(
    `${root}${envelope(client.tokenHeader(), included)}${LINE}${partHead('firmware@sightline', 'application/octet-stream', 'binary')}`,
  )
  const after = Buffer.from(`${LINE}--${boundary}--${LINE}`)
  const reply = await client.upload({
    ...rest,
    address: client.address,
    sizeBytes: before.length + sizeBytes + after.length,
    async *parts() {
      yield before
      yield* parts()
      yield after
    },
    contentType:
      `multipart/related; type="application/xop+xml"; start="<message@sightline>"; start-info="${type}"; ` +
      `boundary="${boundary}"; action="${DEVICE}/${OPERATION}"`,
  })
  if (!reply.ok) return reply
  const parsed = parseReply(reply.value.text, OPERATION)
  if (parsed?.kind !== 'fault' || !parsed.isUnsupported) return reply
  return fail({ ...fault('badReply', parsed.reason), isRefusal: true, isUnsupported: true })
}
