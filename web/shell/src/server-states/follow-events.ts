import { ApiFailure } from '@sightline/client'
import { STATES_MESSAGE } from '@sightline/contract/event-states'
import { getEventStream, LAST_EVENT_ID } from '@sightline/contract/events'
import type { QueryKey } from '@tanstack/react-query'
import type { Application } from '../application.ts'
import { areStatesFollowed, setStatesFollowed } from './followed-states.ts'
import { serverMessages } from './server-messages.ts'

/** The server says something every five seconds; what is silent for longer is broken. */
const SILENCE_MS = 20_000
/** Before another try, by the number of tries that failed before. */
const PAUSES_MS = [500, 3000, 6000, 15_000, 30_000]
/** A refusal stays one, until the user gets the right or accepts the agreement. */
const REFUSED_MS = 60_000

export type Following = Pick<Application, 'client' | 'queries' | 'session'>

/** What an application follows, and what it does with it. */
export interface StateHandlers {
  /** As in the query of `events/stream`. */
  readonly statesOf: string
  /** Puts states where screens look for them. */
  readonly applyStates: (message: unknown) => Promise<void>
  readonly applyEvent: (message: unknown) => void
  /** What screens ask for while the stream can't be had. */
  readonly asked: readonly QueryKey[]
}

/** What of the page decides whether anything is told. */
export type VisiblePage = Pick<Document, 'hidden' | 'addEventListener'>

/**
 * Follows the server's events and states, in one connection for everything that is open in this tab. It pauses while nobody sees the
 * page, and ends with the session. While it can't be had, screens ask for states now and then.
 */
export function followServer(
  following: Following,
  handlers: StateHandlers,
  { leaving, page = document }: { readonly leaving: AbortSignal; readonly page?: VisiblePage | undefined },
): void {
  const over = new AbortController()
  const ended = AbortSignal.any([over.signal, leaving])
  const place = { after: undefined }
  let watching: AbortController | undefined
  const look = () => {
    if (ended.aborted || page.hidden) {
      watching?.abort()
      watching = undefined
      setStatesFollowed(false)
    } else if (watching === undefined) {
      watching = new AbortController()
      void keepFollowing(following, handlers, { place, signal: watching.signal })
    }
  }
  const stopHearing = following.session.onEnd(() => over.abort())
  ended.addEventListener('abort', () => {
    stopHearing()
    look()
  })
  page.addEventListener('visibilitychange', look, { signal: ended })
  look()
}

/** Where to continue. */
interface Place {
  after: string | undefined
}

async function keepFollowing(
  following: Following,
  handlers: StateHandlers,
  { place, signal }: Pick<Attempt, 'place' | 'signal'>,
): Promise<void> {
  let failures = 0
  const heard = () => {
    failures = 0
  }
  while (!signal.aborted) {
    const refusal = await followOnce(following, handlers, { place, signal, heard }).catch((cause: unknown) => cause)
    if (signal.aborted) return
    fallBack(following, handlers)
    const isRefused = refusal instanceof ApiFailure && refusal.status >= 400 && refusal.status < 500
    const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? REFUSED_MS
    failures += 1
    // Many tabs that lost the same server don't come back at the same moment.
    await sleep((isRefused ? REFUSED_MS : pause) * (0.5 + Math.random() / 2), signal)
  }
}

/** Screens begin to ask again. */
function fallBack({ queries }: Following, { asked }: StateHandlers): void {
  if (!areStatesFollowed()) return
  setStatesFollowed(false)
  for (const queryKey of asked) void queries.invalidateQueries({ queryKey })
}

interface Attempt {
  readonly place: Place
  readonly signal: AbortSignal
  /** Called once states have arrived. */
  readonly heard: () => void
}

/** Until the connection breaks. */
async function followOnce(
  following: Following,
  { statesOf, applyStates, applyEvent }: StateHandlers,
  { place, signal, heard }: Attempt,
): Promise<void> {
  const silent = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const spoke = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(), SILENCE_MS)
  }
  try {
    const headers: Record<string, string> = place.after === undefined ? {} : { [LAST_EVENT_ID]: place.after }
    const ending = AbortSignal.any([signal, silent.signal])
    const body = await following.client.open(getEventStream, { query: { statesOf } }, { signal: ending, headers })
    spoke()
    for await (const message of serverMessages(body, spoke)) {
      if (signal.aborted) return
      place.after = message.id
      if (message.event === STATES_MESSAGE) {
        heard()
        // First, because queries decide whether to ask again when they get data.
        setStatesFollowed(true)
        await applyStates(JSON.parse(message.data))
      } else if (message.data !== '') applyEvent(JSON.parse(message.data))
    }
  } finally {
    clearTimeout(timer)
  }
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
