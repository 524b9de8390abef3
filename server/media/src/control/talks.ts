import { EventEmitter } from 'node:events'
import type { G711Law, TalkAnswer, TalkCoding, TalkQuestion } from '@sightline/contract/media-plane'
import {
  NotAac,
  type TalkDecoder,
  type TalkDecoderOptions,
  type TalkEncoder,
  type TalkEncoderOptions,
} from '../decoder/index.ts'
import { toOtherLaw } from '../sound/index.ts'
import type { BackChannel, BackChannelResult, CameraFault } from '../source/index.ts'

/** People who talk through the loudspeakers of a worker's cameras: one at a time at each camera. */
export interface Talks extends AsyncDisposable {
  take(question: TalkQuestion): Promise<TalkAnswer>
  /** Calls back when someone begins to talk through a camera and when nobody does any more, at once if someone does, until the signal aborts. */
  follow(cameraId: number, onChange: (isTalking: boolean) => void, signal: AbortSignal): void
}

/** Talks that are decoded at once; each takes a process. As many are encoded. */
const MOST_DECODED = 8

interface Talk {
  readonly talkId: string
  readonly coding: TalkCoding
  /** Undefined while it opens. */
  channel?: BackChannel
  decoder?: TalkDecoder
  /** For a camera that takes AAC only. */
  encoder?: TalkEncoder
}

export interface TalkDeps {
  /** Undefined if the camera isn't served. */
  readonly openLoudspeaker: (cameraId: number) => Promise<BackChannelResult> | undefined
  /** Undefined without a decoder on this machine. */
  readonly startTalkDecoder?: ((options: Omit<TalkDecoderOptions, 'ffmpeg'>) => TalkDecoder) | undefined
  /** Undefined without an encoder on this machine: cameras that take AAC only have no loudspeaker then. */
  readonly startTalkEncoder?: ((options: Omit<TalkEncoderOptions, 'ffmpeg'>) => TalkEncoder) | undefined
}

export const openTalks = (deps: TalkDeps): Talks => new OpenTalks(deps)

class OpenTalks implements Talks {
  readonly #deps: TalkDeps
  readonly #talks = new Map<number, Talk>()
  // Of each camera, as many as watch it.
  readonly #changes = new EventEmitter().setMaxListeners(0)

  constructor(deps: TalkDeps) {
    this.#deps = deps
  }

  async take(question: TalkQuestion): Promise<TalkAnswer> {
    if (question.step === 'open') return await this.#open(question)
    const { cameraId, talkId } = question
    const talk = this.#talks.get(cameraId)
    if (talk?.talkId !== talkId) return { kind: 'ended' }
    if (question.step === 'close') return await this.#close(cameraId, talk)
    const kind = await hear(talk, question.sound)
    return { kind: this.#talks.get(cameraId) === talk ? kind : 'ended' }
  }

  follow(cameraId: number, onChange: (isTalking: boolean) => void, signal: AbortSignal): void {
    if (signal.aborted) return
    if (this.#talks.get(cameraId)?.channel !== undefined) onChange(true)
    this.#changes.on(String(cameraId), onChange)
    signal.addEventListener('abort', () => this.#changes.off(String(cameraId), onChange), { once: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = [...this.#talks.values()]
    this.#talks.clear()
    for (const talk of open) stopCoding(talk)
    await Promise.all(open.map(async ({ channel }) => channel?.[Symbol.asyncDispose]()))
  }

  async #open({ cameraId, talkId, coding }: TalkQuestion & { step: 'open' }): Promise<TalkAnswer> {
    if (this.#talks.has(cameraId)) return { kind: 'busy' }
    const fault = this.#decodingFault(coding)
    if (fault !== undefined) return fault
    const talk: Talk = { talkId, coding }
    this.#talks.set(cameraId, talk)
    const opened = await this.#deps.openLoudspeaker(cameraId)
    if (opened?.kind !== 'open') {
      this.#forget(cameraId, talk)
      return { kind: opened === undefined ? 'cameraOffline' : toAnswerKind(opened) }
    }
    const { channel } = opened
    void channel.ended.then(() => this.#forget(cameraId, talk))
    // Whoever asked has given up meanwhile.
    if (this.#talks.get(cameraId) !== talk) await channel[Symbol.asyncDispose]()
    else {
      const missing = this.#encodingFault(channel)
      if (missing !== undefined) {
        this.#forget(cameraId, talk)
        await channel[Symbol.asyncDispose]()
        return missing
      }
      this.#hearBy(talk, channel)
      this.#changes.emit(String(cameraId), true)
    }
    return { kind: 'open' }
  }

  /** Why sound of this coding can't be taken; undefined if it can. */
  #decodingFault(coding: TalkCoding): TalkAnswer | undefined {
    if (coding !== 'AAC') return undefined
    if (this.#deps.startTalkDecoder === undefined) return { kind: 'noDecoder' }
    const decoded = [...this.#talks.values()].filter((talk) => talk.coding === 'AAC').length
    return decoded < MOST_DECODED ? undefined : { kind: 'overloaded' }
  }

  /** Why sound can't be made for this loudspeaker; undefined if it can. */
  #encodingFault({ codec }: BackChannel): TalkAnswer | undefined {
    if (typeof codec === 'string') return undefined
    if (this.#deps.startTalkEncoder === undefined) return { kind: 'noLoudspeaker' }
    const encoded = [...this.#talks.values()].filter(({ encoder }) => encoder !== undefined).length
    return encoded < MOST_DECODED ? undefined : { kind: 'overloaded' }
  }

  #hearBy(talk: Talk, channel: BackChannel): void {
    talk.channel = channel
    const { codec } = channel
    if (typeof codec !== 'string')
      talk.encoder = this.#deps.startTalkEncoder?.({ ...codec, onFrame: (frame) => channel.push(frame) })
    if (talk.coding !== 'AAC') return
    talk.decoder = this.#deps.startTalkDecoder?.({ onSound: (samples) => say(talk, 'PCMU', samples) })
  }

  async #close(cameraId: number, talk: Talk): Promise<TalkAnswer> {
    await talk.decoder?.finish()
    await talk.encoder?.finish()
    await talk.channel?.[Symbol.asyncDispose]()
    this.#forget(cameraId, talk)
    return { kind: 'ended' }
  }

  #forget(cameraId: number, talk: Talk): void {
    if (this.#talks.get(cameraId) !== talk) return
    this.#talks.delete(cameraId)
    stopCoding(talk)
    if (talk.channel !== undefined) this.#changes.emit(String(cameraId), false)
  }
}

async function hear(talk: Talk, sound: Uint8Array): Promise<'open' | 'ended' | 'notSound'> {
  const { channel, coding, decoder } = talk
  if (channel === undefined) return 'ended'
  try {
    if (coding === 'AAC') await decoder?.push(sound)
    else await say(talk, coding, sound)
  } catch (error) {
    if (error instanceof NotAac) return 'notSound'
    throw error
  }
  return 'open'
}

/** What the loudspeaker plays: G.711 of its law, or AAC that is made of it. */
async function say({ channel, encoder }: Talk, law: G711Law, sound: Uint8Array): Promise<void> {
  if (channel === undefined) return
  const { codec } = channel
  if (typeof codec === 'string') await channel.push(inLaw(codec, law, sound))
  else await encoder?.push(inLaw('PCMU', law, sound))
}

function stopCoding({ decoder, encoder }: Talk): void {
  decoder?.[Symbol.dispose]()
  encoder?.[Symbol.dispose]()
}

const inLaw = (wanted: G711Law, law: G711Law, sound: Uint8Array): Uint8Array =>
  wanted === law ? sound : toOtherLaw(sound, law === 'PCMA' ? 'pcma' : 'pcmu')

function toAnswerKind(result: Exclude<BackChannelResult, { kind: 'open' }>): TalkAnswer['kind'] {
  return result.kind === 'unsupported' ? 'noLoudspeaker' : faultKind(result.fault)
}

function faultKind({ kind }: CameraFault): TalkAnswer['kind'] {
  if (kind === 'credentialsIncorrect' || kind === 'authenticationUnsupported') return 'credentialsIncorrect'
  if (kind === 'timeout') return 'timedOut'
  return kind === 'unreachable' || kind === 'closed' ? 'cameraOffline' : 'rejected'
}
