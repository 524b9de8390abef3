import { EventEmitter } from 'node:events'
import type { G711Law, TalkAnswer, TalkQuestion } from '@sightline/contract/media-plane'
import { toOtherLaw } from '../sound/index.ts'
import type { BackChannel, BackChannelResult, CameraFault } from '../source/index.ts'

/** People who talk through the loudspeakers of a worker's cameras: one at a time at each camera. */
export interface Talks extends AsyncDisposable {
  take(question: TalkQuestion): Promise<TalkAnswer>
  /** Calls back when someone begins to talk through a camera and when nobody does any more, at once if someone does, until the signal aborts. */
  follow(cameraId: number, onChange: (isTalking: boolean) => void, signal: AbortSignal): void
}

interface Talk {
  readonly talkId: string
  /** Undefined while it opens. */
  channel?: BackChannel
}

/** @param openLoudspeaker undefined if the camera isn't served. */
export function openTalks(openLoudspeaker: (cameraId: number) => Promise<BackChannelResult> | undefined): Talks {
  const talks = new Map<number, Talk>()
  // Of each camera, as many as watch it.
  const changes = new EventEmitter().setMaxListeners(0)
  const forget = (cameraId: number, talk: Talk) => {
    if (talks.get(cameraId) !== talk) return
    talks.delete(cameraId)
    if (talk.channel !== undefined) changes.emit(String(cameraId), false)
  }

  const open = async ({ cameraId, talkId }: TalkQuestion): Promise<TalkAnswer> => {
    if (talks.has(cameraId)) return { kind: 'busy' }
    const talk: Talk = { talkId }
    talks.set(cameraId, talk)
    const opened = await openLoudspeaker(cameraId)
    if (opened?.kind !== 'open') {
      forget(cameraId, talk)
      return { kind: opened === undefined ? 'cameraOffline' : toAnswerKind(opened) }
    }
    void opened.channel.ended.then(() => forget(cameraId, talk))
    // Whoever asked has given up meanwhile.
    if (talks.get(cameraId) !== talk) await opened.channel[Symbol.asyncDispose]()
    else changes.emit(String(cameraId), true)
    talk.channel = opened.channel
    return { kind: 'open' }
  }

  return {
    async take(question) {
      if (question.step === 'open') return await open(question)
      const { cameraId, talkId } = question
      const talk = talks.get(cameraId)
      if (talk?.talkId !== talkId) return { kind: 'ended' }
      if (question.step === 'close') {
        await talk.channel?.[Symbol.asyncDispose]()
        forget(cameraId, talk)
        return { kind: 'ended' }
      }
      if (talk.channel === undefined) return { kind: 'ended' }
      const { law, sound } = question
      await talk.channel.push(inLaw(talk.channel.codec, law, sound))
      return { kind: talks.get(cameraId) === talk ? 'open' : 'ended' }
    },
    follow(cameraId, onChange, signal) {
      if (signal.aborted) return
      if (talks.get(cameraId)?.channel !== undefined) onChange(true)
      changes.on(String(cameraId), onChange)
      signal.addEventListener('abort', () => changes.off(String(cameraId), onChange), { once: true })
    },
    async [Symbol.asyncDispose]() {
      const open = [...talks.values()]
      talks.clear()
      await Promise.all(open.map(async ({ channel }) => channel?.[Symbol.asyncDispose]()))
    },
  }
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
