import type { PtzVelocity } from '@sightline/contract/media-plane'
import { fail, ok } from '@sightline/platform/result'
import * as z from 'zod/mini'
import { fault } from '../camera-fault.ts'
import type { OnvifFault, OnvifResult } from './onvif-client.ts'
import type { OnvifCommander } from './onvif-commander.ts'
import { findPtzNode, type PtzNode, type PtzRange, type PtzSpace } from './ptz-node.ts'
import { element, list, neededText, optionalElement, signedNumber, text } from './shapes.ts'
import { escapeXml } from './xml.ts'

export interface Preset {
  readonly presetId: string
  readonly name: string
}

export type SavedPreset =
  | { readonly kind: 'saved'; readonly preset: Preset }
  | { readonly kind: 'full' | 'presetNotFound' }

/** Cameras have answered within this, or won't. A stop must not wait for longer. */
const REPLY_MS = 3000
/** After this a camera ends a move by itself, if it can. */
const SAFE_TIMEOUT_MS = 2000
/** Of a camera that names no range; it is given none then, and has one of its own. */
const UNKNOWN_TIMEOUT_MS = 5000
/** How far a step goes, as a share of the range, for cameras that don't move continuously. */
const STEP_SHARE = 0.05
const MAX_PRESETS = 500

const emptyShape = z.unknown()
const presetsShape = z.object({ Preset: list(z.object({ '@token': neededText, Name: text }), MAX_PRESETS) })
const savedShape = z.object({ PresetToken: neededText })
const statusShape = z.object({
  PTZStatus: element(
    z.object({
      Position: optionalElement(
        z.object({
          PanTilt: optionalElement(z.object({ '@x': signedNumber, '@y': signedNumber })),
          Zoom: optionalElement(z.object({ '@x': signedNumber })),
        }),
      ),
    }),
  ),
})

const unsupported = (what: string): OnvifFault => ({
  ...fault('badReply', `the camera has no ${what}`),
  isRefusal: true,
  isUnsupported: true,
})

const tag = (name: string, content: string): string => `<o:${name}>${content}</o:${name}>`
/** The camera's own value for a share from -1 to 1 of a range. */
const scaled = (share: number, { min, max }: PtzRange): number => round(share >= 0 ? share * max : -share * min)
const round = (value: number): number => Math.round(value * 10_000) / 10_000
const clamped = (value: number, { min, max }: PtzRange): number => Math.min(max, Math.max(min, value))
const toDuration = (ms: number): string => `PT${ms / 1000}S`

/** Turns one view of a camera and zooms, by ONVIF PTZ. It doesn't know who wants it, or for how long. */
export class PtzDevice {
  readonly #device: OnvifCommander
  readonly #sources: readonly string[] | null
  #node: PtzNode | undefined
  /** The camera answered a Stop with a fault. */
  #lacksStop = false

  /** @param sources the video sources of the view, if the camera has several */
  constructor(device: OnvifCommander, sources: readonly string[] | null) {
    this.#device = device
    this.#sources = sources
  }

  /** How it can be moved; asked of the camera once. */
  async node(signal: AbortSignal): Promise<OnvifResult<PtzNode>> {
    if (this.#node !== undefined) return ok(this.#node)
    const found = await findPtzNode(this.#device, this.#sources, signal)
    if (found.ok) this.#node = found.value
    return found
  }

  /** Milliseconds after which the camera ends a move by itself. */
  get moveLastsMs(): number {
    return this.#timeoutMs ?? UNKNOWN_TIMEOUT_MS
  }

  /** Only within the range that the camera offers: others are rejected, or taken for something else. */
  get #timeoutMs(): number | undefined {
    const offered = this.#node?.timeoutMs
    return offered === undefined ? undefined : clamped(SAFE_TIMEOUT_MS, offered)
  }

  /** Begins to move, or moves one step if the camera knows only steps; then it has to be repeated to go on. */
  async move(velocity: PtzVelocity, signal: AbortSignal): Promise<OnvifResult<{ readonly isStep: boolean }>> {
    const found = await this.node(signal)
    if (!found.ok) return found
    const node = found.value
    if (node.continuousPanTilt !== undefined || node.continuousZoom !== undefined) {
      const moved = await this.#continuous(node, velocity, this.#timeoutMs, signal)
      return moved.ok ? ok({ isStep: false }) : moved
    }
    const moved = await this.#step(node, velocity, signal)
    return moved.ok ? ok({ isStep: true }) : moved
  }

  /** Ends all movement. Where Stop is a fault, moving on at no speed does it. */
  async stop(signal: AbortSignal): Promise<OnvifResult<unknown>> {
    const found = await this.node(signal)
    if (!found.ok) return found
    const node = found.value
    if (!this.#lacksStop) {
      const stopped = await this.#call('Stop', `${tag('PanTilt', 'true')}${tag('Zoom', 'true')}`, signal)
      if (stopped.ok || stopped.failure.isRefusal !== true) return stopped
      this.#lacksStop = true
    }
    if (node.continuousPanTilt === undefined && node.continuousZoom === undefined) return ok(undefined)
    return await this.#continuous(node, { pan: 0, tilt: 0, zoom: 0 }, undefined, signal)
  }

  /** Brings a point of the picture (0 to 1 from its upper left corner) to its middle. */
  async center(
    { x, y }: { readonly x: number; readonly y: number },
    signal: AbortSignal,
  ): Promise<OnvifResult<unknown>> {
    const found = await this.node(signal)
    if (!found.ok) return found
    const space = found.value.fieldOfView
    if (space === undefined) return fail(unsupported('translation by the field of view'))
    const [right, up] = [(x - 0.5) * 2, (0.5 - y) * 2]
    const translation = panTilt('Translation', [scaled(right, space.x), scaled(up, space.y)], space.uri)
    return await this.#call('RelativeMove', translation, signal)
  }

  async home(signal: AbortSignal): Promise<OnvifResult<unknown>> {
    return await this.#call('GotoHomePosition', '', signal)
  }

  async goTo(presetId: string, signal: AbortSignal): Promise<OnvifResult<unknown>> {
    return await this.#call('GotoPreset', tag('PresetToken', escapeXml(presetId)), signal)
  }

  /** In the camera's order. Many have names for presets that were never set. */
  async presets(signal: AbortSignal): Promise<OnvifResult<readonly Preset[]>> {
    const found = await this.node(signal)
    if (!found.ok) return found
    if (found.value.maxPresets === 0) return fail(unsupported('presets'))
    const reply = await this.#ask('GetPresets', '', presetsShape, signal)
    if (!reply.ok) return reply
    const toPreset = (one: { readonly '@token': string; readonly Name?: string | undefined }): Preset => ({
      presetId: one['@token'].slice(0, 64),
      name: (one.Name || one['@token']).slice(0, 64),
    })
    return ok(reply.value.Preset.map(toPreset))
  }

  /** Saves the current view. */
  async save(
    { name, presetId }: { readonly name: string; readonly presetId?: string | undefined },
    signal: AbortSignal,
  ): Promise<OnvifResult<SavedPreset>> {
    const present = await this.presets(signal)
    if (!present.ok) return present
    const isThere = present.value.some((preset) => preset.presetId === presetId)
    if (presetId !== undefined && !isThere) return ok({ kind: 'presetNotFound' })
    const limit = this.#node?.maxPresets ?? MAX_PRESETS
    if (presetId === undefined && present.value.length >= limit) return ok({ kind: 'full' })
    const token = presetId === undefined ? '' : tag('PresetToken', escapeXml(presetId))
    const content = `${tag('PresetName', escapeXml(name))}${token}`
    const saved = await this.#ask('SetPreset', content, savedShape, signal)
    return saved.ok ? ok({ kind: 'saved', preset: { presetId: saved.value.PresetToken, name } }) : saved
  }

  async remove(
    presetId: string,
    signal: AbortSignal,
  ): Promise<OnvifResult<{ readonly kind: 'removed' | 'presetNotFound' }>> {
    const present = await this.presets(signal)
    if (!present.ok) return present
    if (!present.value.some((preset) => preset.presetId === presetId)) return ok({ kind: 'presetNotFound' })
    const removed = await this.#call('RemovePreset', tag('PresetToken', escapeXml(presetId)), signal)
    return removed.ok ? ok({ kind: 'removed' }) : removed
  }

  #continuous(node: PtzNode, { pan, tilt, zoom }: PtzVelocity, timeoutMs: number | undefined, signal: AbortSignal) {
    const { continuousPanTilt: turns, continuousZoom: zooms } = node
    const parts = [
      turns && point('PanTilt', [scaled(pan, turns.x), scaled(tilt, turns.y)]),
      zooms && point('Zoom', [scaled(zoom, zooms.x)]),
    ].join('')
    const timeout = timeoutMs === undefined ? '' : tag('Timeout', toDuration(timeoutMs))
    return this.#call('ContinuousMove', `${vector('Velocity', parts)}${timeout}`, signal)
  }

  /** For cameras without continuous moves. */
  async #step(node: PtzNode, { pan, tilt, zoom }: PtzVelocity, signal: AbortSignal): Promise<OnvifResult<unknown>> {
    const { relativePanTilt, relativeZoom, absolutePanTilt, absoluteZoom } = node
    if (relativePanTilt !== undefined || relativeZoom !== undefined) {
      const step = (share: number, range: PtzRange) => round(share * STEP_SHARE * (range.max - range.min))
      const parts = [
        relativePanTilt && point('PanTilt', [step(pan, relativePanTilt.x), step(tilt, relativePanTilt.y)]),
        relativeZoom && point('Zoom', [step(zoom, relativeZoom.x)]),
      ].join('')
      return await this.#call('RelativeMove', vector('Translation', parts), signal)
    }
    if (absolutePanTilt === undefined && absoluteZoom === undefined) return fail(unsupported('movement that is known'))
    const status = await this.#ask('GetStatus', '', statusShape, signal)
    if (!status.ok) return status
    const at = status.value.PTZStatus.Position
    const goal = (from: number | undefined, share: number, range: PtzRange) =>
      round(clamped((from ?? 0) + share * STEP_SHARE * (range.max - range.min), range))
    const turned = ({ x, y }: PtzSpace): readonly number[] => [
      goal(at?.PanTilt?.['@x'], pan, x),
      goal(at?.PanTilt?.['@y'], tilt, y),
    ]
    const parts = [
      absolutePanTilt && point('PanTilt', turned(absolutePanTilt)),
      absoluteZoom && point('Zoom', [goal(at?.Zoom?.['@x'], zoom, absoluteZoom.x)]),
    ].join('')
    return await this.#call('AbsoluteMove', vector('Position', parts), signal)
  }

  #call(operation: string, content: string, signal: AbortSignal): Promise<OnvifResult<unknown>> {
    return this.#ask(operation, content, emptyShape, signal)
  }

  async #ask<T>(
    operation: string,
    content: string,
    shape: z.ZodMiniType<T>,
    signal: AbortSignal,
  ): Promise<OnvifResult<T>> {
    const found = await this.node(signal)
    if (!found.ok) return found
    const profile = tag('ProfileToken', escapeXml(found.value.profile))
    // In the schema the name of a preset comes after the profile, and the token of one last.
    return await this.#device.call('ptz', operation, {
      content: `${profile}${content}`,
      shape,
      timeoutMs: REPLY_MS,
      signal,
    })
  }
}

const SCHEMA = 'xmlns:t="http://www.onvif.org/ver10/schema"'
const vector = (name: string, parts: string): string => `<o:${name} ${SCHEMA}>${parts}</o:${name}>`
const point = (name: 'PanTilt' | 'Zoom', [x, y]: readonly number[]): string =>
  `<t:${name} x="${x ?? 0}"${y === undefined ? '' : ` y="${y}"`}/>`

/** In a space that isn't the camera's usual one. */
const panTilt = (name: string, [x, y]: readonly number[], space: string): string =>
  vector(name, `<t:PanTilt x="${x ?? 0}" y="${y ?? 0}" space="${escapeXml(space)}"/>`)
