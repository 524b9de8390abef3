import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SUMMARY_HOURS, SUMMARY_SECONDS, type SummaryPictures } from '@sightline/contract/footage-summary'
import { getDenyReason } from '@sightline/contract/rights'
import { streamRules } from '@sightline/contract/streams'
import { attachment } from '@sightline/platform/file-reply'
import { createSemaphore } from '@sightline/platform/limits'
import { planSummary, readSummary, type SummaryPlan } from '../clips/index.ts'
import { FootageAway, type KeyFinder, type ReadQueue, type SegmentFiles } from '../recording/index.ts'
import { filePlaces } from './file-places.ts'
import { readStreamAddress, refuse } from './http-answers.ts'
import { sendSizedFile } from './sized-file.ts'
import type { StreamSession, StreamSessions } from './stream-sessions.ts'

export interface SummaryDeps {
  readonly sessions: Pick<StreamSessions, 'open'>
  readonly store: string
  readonly keys: KeyFinder
  readonly reads: ReadQueue
  readonly files: SegmentFiles
  /** Called once for each ticket. */
  readonly onBegin: (session: StreamSession, address: string) => Promise<void>
  /** Called for each summary that is saved. */
  readonly onDownload: (session: StreamSession, address: string) => Promise<void>
  readonly onOverload: () => void
  /** Counts a viewer until the promise resolves. */
  readonly counted: (session: StreamSession, sending: Promise<void>) => Promise<void>
  readonly now: () => number
}

/** Sends the last day of a camera as a short video. */
export interface Summaries {
  /** `address` is the client's, as the edge saw it. */
  handle(req: IncomingMessage, res: ServerResponse, address: string): Promise<void>
}

const MAX_SPAN_MS = SUMMARY_HOURS * 3_600_000
/** Each reads hundreds of pictures: more at once would take the recorders' turns at the disk. */
const PLANNING = { concurrency: 2, queue: 20 }
/** However many cameras it has: the others get their turn. */
const PLANNING_OF_ACCOUNT = { concurrency: PLANNING.concurrency / 2, queue: PLANNING.queue / 2 }
/** Browsers ask for several ranges of one file, and a paused video keeps its place. */
const CONCURRENT = 16
/** A plan is some ten kilobytes; a browser asks several times for pieces of one file. */
const MAX_PLANS = 32
const PLAN_LIFE_MS = 30 * 60_000

type Sending = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly session: StreamSession
  readonly parameters: URLSearchParams
  readonly address: string
}

export function summaries(deps: SummaryDeps): Summaries {
  const sendLimited = filePlaces(deps, CONCURRENT)
  const plans = new Plans(deps)
  return {
    async handle(req, res, address) {
      const asked = readStreamAddress(req, address)
      if (typeof asked === 'string') return refuse(res, asked)
      const { parameters, ...stream } = asked
      await sendLimited(res, { ...stream, file: { till: asked.till, use: 'playback' } }, (session) =>
        deps.counted(session, send(deps, plans, { req, res, session, parameters, address })),
      )
    },
  }
}

async function send(deps: SummaryDeps, plans: Plans, { req, res, session, parameters, address }: Sending) {
  const { from, till, cameraId, signal } = session
  if (from === undefined || till === undefined || till - from > MAX_SPAN_MS) return refuse(res, 'validation')
  const isDownload = parameters.has('download')
  if (isDownload && getDenyReason(streamRules.mp4, session.caller) !== undefined) return refuse(res, 'notAuthorized')
  const seconds = readSeconds(parameters)
  if (seconds === undefined) return refuse(res, 'validation')
  const plan = await plans.find(session, { from, till, seconds })
  if (plan === 'overloaded') {
    deps.onOverload()
    return refuse(res, 'overloaded')
  }
  if (plan === 'away') return refuse(res, 'timedOut')
  if (plan === undefined) return refuse(res, 'notFound', 'no pictures were recorded in the selected time')
  if (!session.isAgain) {
    session.begin()
    await deps.onBegin(session, address)
  }
  if (parameters.has('pictures')) return sendPictures(res, plan)
  if (isDownload && (req.headers.range ?? 'bytes=0-').startsWith('bytes=0-')) await deps.onDownload(session, address)
  const name = parameters.get('name') ?? `camera-${cameraId}`
  const { keys, reads, files } = deps
  await sendSizedFile(req, res, {
    bytes: plan.bytes,
    etag: tagOf(plan),
    disposition: isDownload ? attachment(name, 'mp4') : 'inline',
    read: (range) => readSummary(plan, range, { keys, reads, files, signal }),
    signal,
  })
}

/** Of a summary that has several parts, each says its length in its address. */
function readSeconds(parameters: URLSearchParams): number | undefined {
  const seconds = Number(parameters.get('seconds') ?? SUMMARY_SECONDS)
  return seconds > 0 && seconds <= SUMMARY_SECONDS ? seconds : undefined
}

interface Wanted {
  /** Milliseconds since 1970. */
  readonly from: number
  readonly till: number
  /** How long the video is. */
  readonly seconds: number
}

function sendPictures(res: ServerResponse, { pieces }: SummaryPlan): void {
  const answer: SummaryPictures = { pictures: pieces.map(({ part }) => part.wallClock) }
  const text = JSON.stringify(answer)
  const type = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) }
  res.writeHead(200, { ...type, 'cache-control': 'private, no-store' }).end(text)
}

/** Says whether it is the same file, byte for byte. */
function tagOf({ head, pieces }: SummaryPlan): string {
  const hash = createHash('sha256').update(head)
  for (const { path, part, bytes } of pieces) hash.update(`${path} ${part.offset} ${bytes}\n`)
  return `"${hash.digest('base64url').slice(0, 22)}"`
}

type FoundPlan = SummaryPlan | 'overloaded' | 'away' | undefined

/** Turns to plan a summary, by account. */
export const planningTurns = () => createSemaphore<number>({ perKey: PLANNING_OF_ACCOUNT, overall: PLANNING })

/** Which pictures the last summaries have. Their bytes are read from the footage each time, so deleted footage has none. */
class Plans {
  readonly #deps: SummaryDeps
  readonly #planning = planningTurns()
  readonly #plans = new Map<string, { readonly plan: Promise<FoundPlan>; readonly until: number }>()

  constructor(deps: SummaryDeps) {
    this.#deps = deps
  }

  async find({ accountId, cameraId }: StreamSession, wanted: Wanted): Promise<FoundPlan> {
    const key = `${accountId} ${cameraId} ${wanted.from} ${wanted.till} ${wanted.seconds}`
    const now = this.#deps.now()
    for (const [old, { until }] of this.#plans)
      if (until <= now || this.#plans.size > MAX_PLANS) this.#plans.delete(old)
    const known = this.#plans.get(key)
    if (known !== undefined) return known.plan
    const plan = this.#make({ accountId, cameraId }, wanted)
    this.#plans.set(key, { plan, until: now + PLAN_LIFE_MS })
    const made = await plan.catch(() => undefined)
    if (typeof made !== 'object') this.#plans.delete(key)
    return plan
  }

  async #make(camera: { readonly accountId: number; readonly cameraId: number }, wanted: Wanted): Promise<FoundPlan> {
    const { store, keys, reads, files } = this.#deps
    try {
      const done = await this.#planning.run(camera.accountId, () =>
        planSummary({ store, keys, reads, files, camera, ...wanted }),
      )
      return done.ok ? done.value : 'overloaded'
    } catch (cause) {
      if (cause instanceof FootageAway) return 'away'
      throw cause
    }
  }
}
