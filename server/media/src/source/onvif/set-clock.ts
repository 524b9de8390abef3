import { setTimeout as sleep } from 'node:timers/promises'
import { fail, ok, type Result } from '@sightline/platform/result'
import * as z from 'zod/mini'
import type { CameraFault } from '../camera-fault.ts'
import { DEVICE, OnvifClient, type OnvifOptions } from './onvif-client.ts'
import { element, optionalElement, text } from './shapes.ts'
import { escapeXml } from './xml.ts'

/** Differences from our clock, in milliseconds; positive: the camera's is ahead. */
export interface ClockChange {
  readonly aheadBeforeMs: number
  readonly aheadMs: number
}

/** `rejected`: the camera refused, or accepted without setting its clock. */
export type ClockFault =
  | { readonly kind: 'usesNtp' | 'rejected' }
  | { readonly kind: 'failed'; readonly fault: CameraFault }

const settingsShape = z.object({
  SystemDateAndTime: element(
    z.object({ DateTimeType: text, DaylightSavings: text, TimeZone: optionalElement(z.object({ TZ: text })) }),
  ),
})
type ClockSettings = z.infer<typeof settingsShape>['SystemDateAndTime']
const emptyShape = z.unknown()

/** A camera names whole seconds, so this much is left of any difference. */
const PRECISE_MS = 2000

/**
 * Sets a camera's clock to ours by SetSystemDateAndTime (ONVIF Core §8.3.6), without changing its time zone. The clock is read again
 * afterwards, because some cameras accept a time and ignore it.
 */
export async function setOnvifClock(options: OnvifOptions): Promise<Result<ClockChange, ClockFault>> {
  const client = new OnvifClient(options)
  const service = { address: client.address, named: '' }
  const asked = await client.call({
    service,
    namespace: DEVICE,
    operation: 'GetSystemDateAndTime',
    shape: settingsShape,
  })
  if (!asked.ok) return fail({ kind: 'failed', fault: asked.failure })
  const settings = asked.value.value.SystemDateAndTime
  if (settings.DateTimeType?.toUpperCase() === 'NTP') return fail({ kind: 'usesNtp' })
  const aheadBeforeMs = client.clockAheadMs
  const set = async (content: (now: Date) => string) => {
    await untilFullSecond(options.signal)
    const operation = 'SetSystemDateAndTime'
    return await client.call({ service, namespace: DEVICE, operation, content: content(new Date()), shape: emptyShape })
  }
  const whole = await set((now) => settingsXml(settings, now, true))
  const isZoneRefused = !whole.ok && whole.failure.isRefusal === true
  const result = isZoneRefused ? await set((now) => settingsXml(settings, now, false)) : whole
  if (!result.ok) return fail(toFault(result.failure))
  const read = await client.readClock()
  if (!read.ok) return fail({ kind: 'failed', fault: read.failure })
  const aheadMs = client.clockAheadMs
  return Math.abs(aheadMs) < PRECISE_MS ? ok({ aheadBeforeMs, aheadMs }) : fail({ kind: 'rejected' })
}

const toFault = (fault: CameraFault & { readonly isRefusal?: boolean }): ClockFault =>
  fault.isRefusal === true ? { kind: 'rejected' } : { kind: 'failed', fault }

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
