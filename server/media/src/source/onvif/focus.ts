import type { FocusAbilities } from '@sightline/contract/media-plane'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import type { OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { element, optionalElement, signedNumber, text, words } from './shapes.ts'
import { escapeXml } from './xml.ts'

const SCHEMA = 'http://www.onvif.org/ver10/schema'
const MAX_MODES = 8
const empty = z.unknown()

const rangeShape = optionalElement(z.object({ Min: signedNumber, Max: signedNumber }))
const moveOptionsShape = z.object({
  MoveOptions: element(
    z.object({
      Relative: optionalElement(z.object({ Distance: rangeShape })),
      Continuous: optionalElement(z.object({ Speed: rangeShape })),
    }),
  ),
})
const optionsShape = z.object({
  ImagingOptions: element(z.object({ Focus: optionalElement(z.object({ AutoFocusModes: words(MAX_MODES) })) })),
})
const settingsShape = z.object({
  ImagingSettings: element(z.object({ Focus: optionalElement(z.object({ AutoFocusMode: text })) })),
})

interface Range {
  readonly min: number
  readonly max: number
}

/** How the lens can be moved. */
interface LensOptions {
  readonly source: string
  readonly speed: Range | undefined
  readonly distance: Range | undefined
  readonly canFocusItself: boolean
}

/** The lens of a camera (ONVIF Imaging §5.1.4 to §5.1.7). What it can do is asked once. */
export class FocusLens {
  readonly #device: OnvifCommander
  #options: LensOptions | undefined

  constructor(device: OnvifCommander) {
    this.#device = device
  }

  async abilities(signal: AbortSignal): Promise<OnvifResult<FocusAbilities>> {
    const options = await this.#find(signal)
    if (!options.ok) return options
    const { speed, distance, canFocusItself } = options.value
    const mode = await this.#mode(signal)
    return ok({
      continuous: speed !== undefined,
      relative: distance !== undefined,
      auto: canFocusItself,
      mode: mode.ok ? mode.value : null,
    })
  }

  /** Moves until it is stopped. @param share of the highest speed, from -1 to 1. */
  async move(share: number, signal: AbortSignal): Promise<OnvifResult<unknown>> {
    return await this.#begin(signal, ({ speed }) =>
      speed === undefined ? undefined : `<t:Continuous><t:Speed>${within(speed, share)}</t:Speed></t:Continuous>`,
    )
  }

  /** @param share of the longest distance, from -1 to 1. */
  async step(share: number, signal: AbortSignal): Promise<OnvifResult<unknown>> {
    return await this.#begin(signal, ({ distance }) =>
      distance === undefined
        ? undefined
        : `<t:Relative><t:Distance>${within(distance, share)}</t:Distance></t:Relative>`,
    )
  }

  async stop(signal: AbortSignal): Promise<OnvifResult<unknown>> {
    const options = await this.#find(signal)
    if (!options.ok) return options
    const content = sourceXml(options.value.source)
    return await this.#device.call('imaging', 'Stop', { content, shape: empty, signal })
  }

  async focusItself(signal: AbortSignal): Promise<OnvifResult<unknown>> {
    const options = await this.#find(signal)
    if (!options.ok) return options
    return options.value.canFocusItself ? await this.#setMode('AUTO', signal) : fail(cannot)
  }

  /** A lens that focuses itself would move back. */
  async #begin(
    signal: AbortSignal,
    focusXml: (options: LensOptions) => string | undefined,
  ): Promise<OnvifResult<unknown>> {
    const options = await this.#find(signal)
    if (!options.ok) return options
    const focus = focusXml(options.value)
    if (focus === undefined) return fail(cannot)
    const mode = options.value.canFocusItself ? await this.#mode(signal) : ok(null)
    if (mode.ok && mode.value === 'auto') {
      const set = await this.#setMode('MANUAL', signal)
      if (!set.ok) return set
    }
    const content = `${sourceXml(options.value.source)}<o:Focus xmlns:t="${SCHEMA}">${focus}</o:Focus>`
    return await this.#device.call('imaging', 'Move', { content, shape: empty, signal })
  }

  async #mode(signal: AbortSignal): Promise<OnvifResult<'auto' | 'manual' | null>> {
    const options = await this.#find(signal)
    if (!options.ok) return options
    const content = sourceXml(options.value.source)
    const reply = await this.#device.call('imaging', 'GetImagingSettings', { content, shape: settingsShape, signal })
    if (!reply.ok) return reply
    const mode = reply.value.ImagingSettings.Focus?.AutoFocusMode?.toUpperCase()
    if (mode === 'AUTO') return ok('auto')
    return ok(mode === 'MANUAL' ? 'manual' : null)
  }

  async #setMode(mode: 'AUTO' | 'MANUAL', signal: AbortSignal): Promise<OnvifResult<unknown>> {
    const options = await this.#find(signal)
    if (!options.ok) return options
    const content =
      `${sourceXml(options.value.source)}<o:ImagingSettings xmlns:t="${SCHEMA}">` +
      `<t:Focus><t:AutoFocusMode>${mode}</t:AutoFocusMode></t:Focus></o:ImagingSettings>` +
      '<o:ForcePersistence>true</o:ForcePersistence>'
    return await this.#device.call('imaging', 'SetImagingSettings', { content, shape: empty, signal })
  }

  async #find(signal: AbortSignal): Promise<OnvifResult<LensOptions>> {
    if (this.#options !== undefined) return ok(this.#options)
    const profile = await this.#device.mainProfile()
    if (!profile.ok) return profile
    const { source } = profile.value
    const content = sourceXml(source)
    const moves = await this.#device.call('imaging', 'GetMoveOptions', { content, shape: moveOptionsShape, signal })
    if (!moves.ok && moves.failure.isRefusal !== true) return moves
    const modes = await this.#device.call('imaging', 'GetOptions', { content, shape: optionsShape, signal })
    const offered = modes.ok ? (modes.value.ImagingOptions.Focus?.AutoFocusModes ?? []) : []
    const found: LensOptions = {
      source,
      speed: moves.ok ? toRange(moves.value.MoveOptions.Continuous?.Speed) : undefined,
      distance: moves.ok ? toRange(moves.value.MoveOptions.Relative?.Distance) : undefined,
      canFocusItself: offered.some((mode) => mode.toUpperCase() === 'AUTO'),
    }
    if (found.speed === undefined && found.distance === undefined && !found.canFocusItself) return fail(cannot)
    this.#options = found
    return ok(found)
  }
}

const cannot = {
  ...fault('badReply', "the camera's lens can't be moved like that"),
  isRefusal: true,
  isUnsupported: true,
}

const sourceXml = (source: string): string => `<o:VideoSourceToken>${escapeXml(source)}</o:VideoSourceToken>`

const toRange = (
  range: { readonly Min?: number | undefined; readonly Max?: number | undefined } | undefined,
): Range | undefined => {
  const { Min: min, Max: max } = range ?? {}
  return min === undefined || max === undefined || min >= max ? undefined : { min, max }
}

/** A share of a range that may have no negative half, where the sign is that of the highest value. */
const within = ({ min, max }: Range, share: number): number =>
  Number((share < 0 ? share * Math.abs(min) : share * max).toFixed(4))
