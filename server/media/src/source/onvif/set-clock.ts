import { setTimeout as sleep } from 'node:timers/promises'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import type { OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { element, optionalElement, text } from './shapes.ts'
import { escapeXml } from './xml.ts'

/** Differences from our clock, in milliseconds; positive: the camera's is ahead. */
export type ClockChange =
  | { readonly kind: 'set'; readonly aheadBeforeMs: number; readonly aheadMs: number }
  | { readonly kind: 'usesNtp' }

const settingsShape = z.object({
  SystemDateAndTime: element(
    z.object({ DateTimeType: text, DaylightSavings: text, TimeZone: optionalElement(z.object({ TZ: text })) }),
  ),
})
type ClockSettings = z.infer<typeof settingsShape>['SystemDateAndTime']
const emptyShape = z.unknown()

/** How far a camera's clock is ahead of ours now, in milliseconds, precise to half a second, and whether NTP sets it. */
export async function readCameraClock(
  device: OnvifCommander,
  signal: AbortSignal,
): Promise<OnvifResult<{ readonly aheadMs: number; readonly usesNtp: boolean }>> {
  const read = await device.client.readClock()
  if (!read.ok) return read
  const asked = await device.call('device', 'GetSystemDateAndTime', { shape: settingsShape, signal })
  if (!asked.ok) return asked
  const usesNtp = asked.value.SystemDateAndTime.DateTimeType?.toUpperCase() === 'NTP'
  return ok({ aheadMs: device.client.clockAheadMs, usesNtp })
}

/** A camera names whole seconds, so this much is left of any difference. */
const PRECISE_MS = 2000

/**
 * Sets a camera's clock to ours by SetSystemDateAndTime (ONVIF Core §8.3.6), without changing its time zone. The clock is read again
 * afterwards, because some cameras accept a time and ignore it.
 */
export async function setOnvifClock(device: OnvifCommander, signal: AbortSignal): Promise<OnvifResult<ClockChange>> {
  const { client } = device
  // What is known of the clock may be hours old.
  const before = await client.readClock()
  if (!before.ok) return before
  const asked = await device.call('device', 'GetSystemDateAndTime', { shape: settingsShape, signal })
  if (!asked.ok) return asked
  const settings = asked.value.SystemDateAndTime
  if (settings.DateTimeType?.toUpperCase() === 'NTP') return ok({ kind: 'usesNtp' })
  const aheadBeforeMs = client.clockAheadMs
  const set = async (content: (now: Date) => string) => {
    await untilFullSecond(signal)
    const request = { content: content(new Date()), shape: emptyShape, signal }
    return await device.call('device', 'SetSystemDateAndTime', request)
  }
  const whole = await set((now) => settingsXml(settings, now, true))
  const isZoneRefused = !whole.ok && whole.failure.isRefusal === true
  const result = isZoneRefused ? await set((now) => settingsXml(settings, now, false)) : whole
  if (!result.ok) return result
  const read = await client.readClock()
  if (!read.ok) return read
  const aheadMs = client.clockAheadMs
  if (Math.abs(aheadMs) < PRECISE_MS) return ok({ kind: 'set', aheadBeforeMs, aheadMs })
  return fail({ ...fault('badReply', "the camera accepted the time and didn't set its clock"), isRefusal: true })
}

/** The message has whole seconds only. */
async function untilFullSecond(signal: AbortSignal): Promise<void> {
  await sleep(1000 - (Date.now() % 1000), undefined, { signal }).catch(() => undefined)
}

/** In the order of the schema. Some cameras reject the zone that they reported themselves. */
function settingsXml({ DaylightSavings, TimeZone }: ClockSettings, now: Date, hasZone: boolean): string {
  const tag = (name: string, content: string | number) => `<t:${name}>${content}</t:${name}>`
  const zone = hasZone && TimeZone?.TZ ? `<o:TimeZone>${tag('TZ', escapeXml(TimeZone.TZ))}</o:TimeZone>` : ''
  const time = tag('Hour', now.getUTCHours()) + tag('Minute', now.getUTCMinutes()) + tag('Second', now.getUTCSeconds())
  const date = tag('Year', now.getUTCFullYear()) + tag('Month', now.getUTCMonth() + 1) + tag('Day', now.getUTCDate())
  return (
    `<o:DateTimeType>Manual</o:DateTimeType><o:DaylightSavings>${DaylightSavings === 'true'}</o:DaylightSavings>${zone}` +
    `<o:UTCDateTime xmlns:t="http://www.onvif.org/ver10/schema">${tag('Time', time)}${tag('Date', date)}</o:UTCDateTime>`
  )
}
